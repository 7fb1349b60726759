// The player: one time for all panes, what is pinned in each, and the page's address that holds both.

function Pane(root) {
  var drawing = root.querySelector('.view'), data = root.querySelector('.data');
  this.root = root;
  this.mark = root.getAttribute('data-mark');
  this.schedule = new Schedule(data.textContent);
  this.view = drawing ? new View(drawing, this.schedule) : null;
  this.info = root.querySelector('.info');
  this.list = root.querySelector('.list');
  this.packets = new Set();
  this.channel = null;
  this.end = null;  // destination to which routes are shown; all if there is none
}
Pane.prototype.tell = function (what) {
  var pane = this, panel = this.info, schedule = this.schedule, pinned = this.packets.size > 0 || this.channel !== null;
  panel.textContent = '';
  panel.classList.toggle('pinned', pinned && !what);
  if (what) {
    what(panel, schedule);
  } else if (pinned) {
    var close = node('button', '×', panel, 'close');
    close.type = 'button';
    close.setAttribute('aria-label', 'let go');
    close.setAttribute('data-do', 'free');
    if (this.channel !== null) { tellChannel(panel, schedule, this.channel); }
    Array.from(this.packets).slice(0, 20).forEach(function (packet) { tellPacket(panel, schedule, packet, pane.end); });
    if (this.packets.size > 20) { node('p', 'and ' + (this.packets.size - 20) + ' more packets', panel); }
  } else {
    node('p', this.view ? 'Point at a packet or a channel; click to pin it.' : 'Click a packet of the list to pin it.', panel, 'note');
  }
};
Pane.prototype.draw = function (cycle, phase) {
  if (this.view) { this.view.draw(cycle, phase, this.packets); }
};
Pane.prototype.pin = function (packets, channel, end) {
  this.packets = new Set(packets);
  this.channel = channel;
  this.end = end === undefined ? null : end;
  if (this.view) { this.view.pin(this.packets, channel, this.end); }
  this.tell();
};

function start() {
  var player = document.getElementById('player');
  var roots = player ? Array.from(player.querySelectorAll('.pane')) : [];
  var panes = roots.filter(function (root) { return root.querySelector('.data'); }).map(function (root) { return new Pane(root); });
  if (!panes.length) { return; }
  var slider = player.querySelector('input[type=range]'), now = player.querySelector('.now'), speed = player.querySelector('select');
  var play = player.querySelector('[data-do=play]'), query = player.querySelector('.query'), answer = player.querySelector('.answer');
  var cycles = Math.max.apply(null, panes.map(function (pane) { return pane.schedule.shown; })), cycle = 0, timer = null;
  var unit = panes[0].schedule.unit, windows = timeWindows();
  slider.max = Math.max(cycles - 1, 0);
  // the knob is below the middle of the cycle's bar
  slider.style.width = 'calc(' + (100 - 100 / Math.max(cycles, 1)) + '% + 16px)';
  slider.style.marginLeft = 'calc(' + 50 / Math.max(cycles, 1) + '% - 8px)';

  // Strips in the page's other pictures, in which the cycle is marked.
  function timeWindows() {
    return Array.from(document.querySelectorAll('.window')).map(function (area) {
      var first = +area.getAttribute('data-from'), many = +area.getAttribute('data-count'), x = +area.getAttribute('x');
      var wide = +area.getAttribute('width') / many;
      var mark = shape('rect', { 'class': 'cursor', y: area.getAttribute('y'), height: area.getAttribute('height'), width: wide, visibility: 'hidden' });
      area.parentNode.appendChild(mark);
      area.ownerSVGElement.addEventListener('click', function (event) {
        var at = area.getBoundingClientRect(), part = (event.clientX - at.left) / at.width;
        if (part > 0 && part < 1 && !event.target.closest('.packet-cells [data-p]')) { go(first + Math.floor(part * many)); }
      });
      return function (t) {
        mark.setAttribute('visibility', t >= first && t < first + many ? 'visible' : 'hidden');
        mark.setAttribute('x', (x + (t - first) * wide).toFixed(1));
      };
    });
  }
  function counts() {
    var svg = player.querySelector('.counts'), high = 1, shown = Math.min(cycles, 1000);
    panes.forEach(function (pane) { for (var t = 0; t < cycles; t++) { high = Math.max(high, pane.schedule.count(t)); } });
    svg.setAttribute('viewBox', '0 0 ' + Math.max(shown, 1) + ' 30');
    panes.forEach(function (pane, i) {
      var path = 'M0 30', wide = 1 / panes.length;
      for (var bin = 0; bin < shown; bin++) {
        var from = Math.floor(bin * cycles / shown), to = Math.max(from + 1, Math.floor((bin + 1) * cycles / shown)), most = 0;
        for (var t = from; t < to; t++) { most = Math.max(most, pane.schedule.count(t)); }
        path += 'M' + (bin + i * wide + 0.06 * wide).toFixed(2) + ' 30v' + (-29 * most / high).toFixed(2) + 'h' + (wide * 0.88).toFixed(2) + 'V30z';
      }
      shape('path', { 'class': 'bars' + pane.mark, d: path }, svg);
    });
  }
  function words() {
    var parts = panes.map(function (pane) {
      var channels = pane.schedule.count(cycle), packets = pane.schedule.different(cycle);
      if (cycle >= pane.schedule.cycles) { return 'ended'; }
      var operations = (pane.schedule.operations[cycle] || []).length;
      return count(packets, 'packet') + (packets === channels ? '' : ' on ' + count(channels, 'channel')) +
        (operations ? ', ' + count(operations, 'operation') : '');
    });
    return unit + ' ' + cycle + ' of 0–' + (cycles - 1) + ': ' + parts.join(' | ');
  }
  function draw(phase) { panes.forEach(function (pane) { pane.draw(cycle, phase); }); }
  var REST = 0.65;
  function show() {
    slider.value = cycle;
    now.textContent = words();
    now.setAttribute('data-cycle', cycle);
    draw(REST);
    panes.forEach(function (pane) { tellCycle(pane.list, pane.schedule, cycle); });
    windows.forEach(function (mark) { mark(cycle); });
  }
  function go(to) {
    cycle = Math.min(Math.max(to, 0), Math.max(cycles - 1, 0));
    show();
    if (timer === null) { keep(); }
  }

  // What is shown is in the page's address.
  function keep() {
    var parts = ['cycle=' + cycle];
    panes.forEach(function (pane) {
      var view = pane.view;
      if (pane.packets.size && !query.elements.source.value) { parts.push('packet' + pane.mark + '=' + Array.from(pane.packets).join('+')); }
      if (pane.channel !== null) { parts.push('channel' + pane.mark + '=' + pane.channel); }
      if (view && view.isZoomed()) {
        parts.push('view' + pane.mark + '=' + [view.box.x, view.box.y, view.box.w].map(function (n) { return n.toFixed(0); }).join(','));
      }
      if (pane.list.open) { parts.push('list' + pane.mark); }
    });
    ['source', 'destination'].forEach(function (key) {
      if (query.elements[key].value) { parts.push(key + '=' + encodeURIComponent(query.elements[key].value)); }
    });
    try { history.replaceState(null, '', '#' + parts.join('&')); } catch (error) { /* a page within a page has no address */ }
  }
  function obey() {
    var state = {};
    location.hash.replace(/^#/, '').split('&').forEach(function (part) {
      var at = part.indexOf('=');
      try { state[at === -1 ? part : part.slice(0, at)] = at === -1 ? '' : decodeURIComponent(part.slice(at + 1)); } catch (error) { /* no text */ }
    });
    if (/^\d+$/.test(state.cycle)) { cycle = Math.min(+state.cycle, Math.max(cycles - 1, 0)); }
    query.elements.source.value = state.source || '';
    query.elements.destination.value = state.destination || '';
    panes.forEach(function (pane) {
      var schedule = pane.schedule, view = (state['view' + pane.mark] || '').split(',').map(Number);
      var packets = (state['packet' + pane.mark] || '').split('+').filter(function (p) { return /^\d+$/.test(p) && +p in schedule.source; });
      var channel = state['channel' + pane.mark];
      if (pane.view && view.length === 3 && view.every(isFinite) && view[2] > 0) {
        Object.assign(pane.view.box, { x: view[0], y: view[1], w: view[2] });
        pane.view.move();
      }
      pane.list.open = 'list' + pane.mark in state;
      pane.pin(packets.map(Number), /^\d+$/.test(channel) && +channel < schedule.from.length ? +channel : null);
    });
    ask();
    show();
  }
  function forget() {
    query.elements.source.value = query.elements.destination.value = answer.textContent = '';
  }
  function ask() {
    var names = ['source', 'destination'].map(function (key) { return query.elements[key].value; });
    answer.textContent = '';
    if (!names[0] || !names[1]) { return; }
    var answers = panes.map(function (pane) {
      var ends = names.map(function (name) { return pane.schedule.numbers[plain(name)]; });
      if (ends.indexOf(undefined) !== -1) { pane.pin([], null); return 'no node ' + names[ends.indexOf(undefined)]; }
      var found = pane.schedule.find(ends[0], ends[1]);
      pane.pin(found, null, ends[1]);
      var first = found.length ? pane.schedule.way(found[0], ends[1]) : [];
      if (!first.length) { return found.length ? 'stays where it is' : 'no packet'; }
      var last = pane.schedule.cycle[first[first.length - 1]];
      return found.length === 1 ? unit + 's ' + pane.schedule.cycle[first[0]] + '–' + last : count(found.length, 'packet');
    });
    answer.textContent = answers.join(' | ');
  }

  function stop() {
    if (timer !== null) { cancelAnimationFrame(timer); }
    timer = null;
    play.setAttribute('aria-pressed', 'false');
    play.setAttribute('aria-label', 'play');
    show();
    keep();
  }
  function toggle() {
    if (timer !== null) { stop(); return; }
    if (cycle >= cycles - 1) { cycle = 0; }
    play.setAttribute('aria-pressed', 'true');
    play.setAttribute('aria-label', 'pause');
    var begin = null, from = cycle, still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    function frame(time) {
      if (begin === null) { begin = time; from = cycle; show(); }
      var passed = (time - begin) / 1000 * +speed.value, next = from + Math.floor(passed);
      if (next >= cycles) { stop(); return; }
      if (next !== cycle) { cycle = next; show(); }
      var few = panes.every(function (pane) { return pane.schedule.count(cycle) < 1500; });
      if (few && !still && +speed.value <= 5) { draw(passed % 1); }
      timer = requestAnimationFrame(frame);
    }
    speed.onchange = function () { begin = null; };
    timer = requestAnimationFrame(frame);
  }
  function save(name, type, content) {
    var link = document.createElement('a'), address = URL.createObjectURL(new Blob([content], { type: type }));
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(function () { URL.revokeObjectURL(address); }, 10000);
  }
  function savePng(pane, name) {
    var picture = new Image(), address = URL.createObjectURL(new Blob([pane.view.picture()], { type: 'image/svg+xml' }));
    picture.onload = function () {
      var canvas = document.createElement('canvas');
      canvas.width = pane.view.whole.w * 2;
      canvas.height = pane.view.whole.h * 2;
      canvas.getContext('2d').drawImage(picture, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(address);
      canvas.toBlob(function (blob) { save(name, 'image/png', blob); });
    };
    picture.src = address;
  }
  var acts = {
    first: function () { go(0); },
    back: function () { go(cycle - 1); },
    on: function () { go(cycle + 1); },
    last: function () { go(cycles - 1); },
    play: toggle,
    'in': function (pane) { pane.view.zoom(1.6); },
    out: function (pane) { pane.view.zoom(1 / 1.6); },
    fit: function (pane) { pane.view.fit(); },
    free: function (pane) { forget(); pane.pin([], null); },
    svg: function (pane, name) { save(name + '-' + unit + '-' + cycle + '.svg', 'image/svg+xml', pane.view.picture()); },
    png: function (pane, name) { savePng(pane, name + '-' + unit + '-' + cycle + '.png'); },
    csv: function (pane, name) { save(name + '-transfers.csv', 'text/csv', pane.schedule.csv()); }
  };
  player.addEventListener('click', function (event) {
    var button = event.target.closest('button'), root = event.target.closest('.pane');
    var pane = panes.find(function (pane) { return pane.root === root; });
    if (!button) { return; }
    if (button.hasAttribute('data-cycle')) { halt(); go(+button.getAttribute('data-cycle')); }
    var act = button.getAttribute('data-do');
    if (act !== null && acts[act] && (pane || !root)) {
      if (['first', 'back', 'on', 'last'].indexOf(act) !== -1) { halt(); }
      acts[act](pane, document.title.replace(/[^\w]+/g, '-').replace(/-+$/, '') + (pane ? pane.mark : ''));
      if (['in', 'out', 'fit', 'free'].indexOf(act) !== -1) { draw(REST); keep(); }
    }
  });
  function halt() { if (timer !== null) { stop(); } }
  slider.addEventListener('input', function () { halt(); go(+slider.value); });
  query.addEventListener('submit', function (event) { event.preventDefault(); ask(); draw(REST); keep(); });
  query.addEventListener('reset', function () {
    setTimeout(function () { answer.textContent = ''; panes.forEach(function (pane) { pane.pin([], null); }); draw(REST); keep(); }, 0);
  });
  document.addEventListener('keydown', function (event) {
    var at = event.target, inside = player.contains(at);
    if (event.ctrlKey || event.altKey || event.metaKey || at.closest('input[name], select, textarea, .scroll:not(.view), pre')) { return; }
    if (!inside && at !== document.body) { return; }
    var act = { ArrowLeft: 'back', ArrowRight: 'on', Home: 'first', End: 'last', ' ': 'play' }[event.key];
    if (!act || (act === 'play' && at.closest('button, summary')) || (!inside && 'first last play'.indexOf(act) !== -1)) { return; }
    event.preventDefault();
    if (act !== 'play') { halt(); }
    acts[act]();
  });
  addEventListener('hashchange', obey);

  panes.forEach(function (pane) {
    var schedule = pane.schedule, view = pane.view;
    pane.list.addEventListener('toggle', function () { tellCycle(pane.list, schedule, cycle); keep(); });
    pane.list.addEventListener('click', function (event) {
      var row = event.target.closest('[data-p]');
      if (row) { forget(); pane.pin([+row.getAttribute('data-p')], null); draw(REST); keep(); }
    });
    if (!view) { return; }
    function channels(link) {
      var a = +link.getAttribute('data-a'), b = +link.getAttribute('data-b'), all = [];
      for (var c = 0; c < schedule.from.length; c++) {
        var there = schedule.from[c] === a && schedule.to[c] === b;
        if (there || (!link.hasAttribute('data-one') && schedule.from[c] === b && schedule.to[c] === a)) { all.push(c); }
      }
      return all;
    }
    function focus(number, on) {
      view.svg.classList.toggle('network-focus', on);
      (view.joined.get(number) || []).forEach(function (link) { link.classList.toggle('on', on); });
    }
    view.svg.addEventListener('mouseover', function (event) {
      var at = event.target;
      if (at.classList.contains('packet')) {
        pane.tell(function (panel) { tellPacket(panel, schedule, +at.getAttribute('data-p')); });
      } else if (at.classList.contains('l')) {
        pane.tell(function (panel) { channels(at).forEach(function (c) { tellChannel(panel, schedule, c); }); });
      } else if (at.hasAttribute('data-n')) {
        focus(+at.getAttribute('data-n'), true);
        pane.tell(function (panel) { tellNode(panel, schedule, +at.getAttribute('data-n'), cycle); });
      }
    });
    view.svg.addEventListener('mouseout', function (event) {
      if (event.target.hasAttribute('data-n')) { focus(+event.target.getAttribute('data-n'), false); }
      pane.tell();
    });
    view.svg.addEventListener('click', function (event) {
      var at = event.target, inputs = query.elements;
      if (at.classList.contains('packet')) {
        forget();
        pane.pin([+at.getAttribute('data-p')], null);
      } else if (at.classList.contains('l')) {
        var all = channels(at), next = all[(all.indexOf(pane.channel) + 1) % all.length];
        forget();
        pane.pin([], next);
      } else if (at.hasAttribute('data-n')) {
        var name = schedule.nodes[+at.getAttribute('data-n')];
        if (!inputs.source.value || inputs.destination.value) { inputs.source.value = name; inputs.destination.value = ''; }
        else { inputs.destination.value = name; ask(); }
      } else { return; }
      draw(REST);
      keep();
    });
    view.listen(function () { draw(REST); keep(); });
  });
  // a packet of the other pictures
  document.querySelectorAll('.cells').forEach(function (group) {
    function same(on) {
      return function (event) {
        var packet = event.target.getAttribute('data-p');
        if (packet === null) { return; }
        document.querySelectorAll('.cells path[data-p="' + packet + '"]').forEach(function (cell) { cell.classList.toggle('same', on); });
      };
    }
    group.addEventListener('mouseover', same(true));
    group.addEventListener('mouseout', same(false));
    group.addEventListener('click', function (event) {
      var packet = event.target.getAttribute('data-p');
      if (packet === null || !group.closest('.packet-cells')) { return; }
      forget();
      panes[0].pin([+packet], null);
      var route = panes[0].schedule.route(+packet);
      if (route.length) { go(panes[0].schedule.cycle[route[0]]); }
    });
  });
  var names = document.getElementById('node-names');
  panes[0].schedule.nodes.forEach(function (name) { node('option', null, names).value = name; });
  player.querySelectorAll('[hidden]').forEach(function (part) { part.hidden = false; });
  panes.forEach(function (pane) { if (pane.view) { pane.view.root.classList.add('live'); } });
  counts();
  obey();
}
start();
