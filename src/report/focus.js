  // A router's links stand out.
  var network = document.getElementById('network');
  if (network) {
    network.querySelectorAll('.router').forEach(function (router) {
      var node = router.getAttribute('data-n');
      var links = network.querySelectorAll('.l[data-a="' + node + '"], .l[data-b="' + node + '"]');
      function focus(on) {
        return function () {
          network.classList.toggle('network-focus', on);
          links.forEach(function (link) { link.classList.toggle('on', on); });
        };
      }
      router.addEventListener('mouseenter', focus(true));
      router.addEventListener('mouseleave', focus(false));
    });
  }
