// The drawing of a network: packets on its links, zoom and pan.

var SVG = document.documentElement.namespaceURI.replace('1999/xhtml', '2000/svg');
function shape(name, attributes, parent) {
  var made = document.createElementNS(SVG, name);
  Object.keys(attributes).forEach(function (key) { made.setAttribute(key, attributes[key]); });
  if (parent) { parent.appendChild(made); }
  return made;
}

// A line, or a curve of degree 2 or 3, from its path.
function Line(element, backwards) {
  this.element = element;
  this.points = element.getAttribute('d').match(/-?[\d.]+/g).map(Number);
  this.backwards = backwards;
}
// Place and direction in degrees at a part of the way, so many units to the right of it.
Line.prototype.at = function (part, aside) {
  var t = this.backwards ? 1 - part : part, s = 1 - t, p = this.points;
  function of(i) {
    if (p.length === 4) { return [s * p[i] + t * p[2 + i], p[2 + i] - p[i]]; }
    if (p.length === 6) {
      return [s * s * p[i] + 2 * s * t * p[2 + i] + t * t * p[4 + i], s * (p[2 + i] - p[i]) + t * (p[4 + i] - p[2 + i])];
    }
    return [s * s * s * p[i] + 3 * s * s * t * p[2 + i] + 3 * s * t * t * p[4 + i] + t * t * t * p[6 + i],
      s * s * (p[2 + i] - p[i]) + 2 * s * t * (p[4 + i] - p[2 + i]) + t * t * (p[6 + i] - p[4 + i])];
  }
  var x = of(0), y = of(1), turn = this.backwards ? -1 : 1, long = Math.hypot(x[1], y[1]) || 1;
  var along = [turn * x[1] / long, turn * y[1] / long];
  return [x[0] - aside * along[1], y[0] + aside * along[0], Math.atan2(along[1], along[0]) * 180 / Math.PI];
};
// Length of the straight line between the ends.
Line.prototype.length = function () {
  var p = this.points, n = p.length;
  return Math.hypot(p[n - 2] - p[0], p[n - 1] - p[1]);
};

function View(root, schedule) {
  var svg = root.querySelector('svg'), self = this;
  this.root = root;
  this.svg = svg;
  this.schedule = schedule;
  this.lines = new Map();
  this.joined = new Map();  // by node: links
  this.nodes = [];          // by node: circles
  svg.querySelectorAll('.l[data-a]').forEach(function (link) {
    var a = +link.getAttribute('data-a'), b = +link.getAttribute('data-b');
    self.lines.set(a + '>' + b, new Line(link, false));
    if (!link.hasAttribute('data-one')) { self.lines.set(b + '>' + a, new Line(link, true)); }
    [a, b].forEach(function (node) { self.joined.set(node, (self.joined.get(node) || []).concat([link])); });
  });
  svg.querySelectorAll('[data-n]').forEach(function (circle) {
    var node = +circle.getAttribute('data-n');
    self.nodes[node] = (self.nodes[node] || []).concat([circle]);
  });
  var circle = svg.querySelector('[data-n]');
  this.radius = circle ? +circle.getAttribute('r') : 8;
  var box = svg.viewBox.baseVal;
  this.whole = { x: box.x, y: box.y, w: box.width, h: box.height };
  this.box = Object.assign({}, this.whole);
  svg.removeAttribute('width');
  svg.removeAttribute('height');
  svg.style.maxWidth = Math.round(Math.max(this.whole.w * 1.5, 420)) + 'px';
  // routes are below nodes, packets above them
  this.routes = shape('g', { 'class': 'routes' }, null);
  svg.insertBefore(this.routes, circle);
  this.packets = shape('g', { 'class': 'packets' }, svg);
  this.names = shape('g', { 'class': 'names' }, svg);
  this.pool = [];
  this.used = [];
  this.move();
}

// Pixels of the screen for a unit of the drawing.
View.prototype.scale = function () {
  return (this.svg.getBoundingClientRect().width || this.whole.w) / this.box.w;
};

// Shows a cycle's packets; `phase` is the part of the cycle that is over.
View.prototype.draw = function (cycle, phase, pinned) {
  var schedule = this.schedule, items = schedule.at(cycle), taken = {}, self = this, number = 0;
  var size = Math.min(Math.max(this.radius * 0.62, 3.4 / this.scale()), this.radius * 1.1, 7);
  this.used.forEach(function (link) { link.classList.remove('used'); });
  this.used = [];
  this.cycle = cycle;
  items.forEach(function (item) {
    var channel = schedule.channel[item], packet = schedule.packet[item];
    var from = schedule.from[channel], to = schedule.to[channel], key = from + '>' + to, line = self.lines.get(key);
    if (!line) { return; }
    var beside = taken[key] = (taken[key] || 0) + 1;
    var part = (cycle - schedule.cycle[item] + phase) / (schedule.latency ? schedule.latency[channel] : 1);
    // between the circles of both ends, each direction on its side
    var end = Math.min(0.45, self.radius / line.length()), own = Math.min(size, line.length() * (0.5 - end) * 0.8);
    var place = line.at(end + (1 - 2 * end) * Math.min(1, 0.1 + 0.8 * part + 0.12 * (beside - 1)),
      line.element.hasAttribute('data-one') ? 0 : own * 0.95);
    var kind = schedule.isFor(packet, to) ? 'ends' : from === schedule.source[packet] ? 'starts' : 'goes';
    var passing = schedule.cycle[item] === cycle ? '' : ' passing';
    var on = pinned.has(packet) ? ' on' : '';
    var element = self.pool[number] || (self.pool[number] = shape('path', { d: 'M-1-.85L1.1 0L-1 .85L-.55 0z' }, self.packets));
    number += 1;
    element.setAttribute('class', 'packet ' + kind + passing + on);
    element.setAttribute('transform', 'translate(' + place[0].toFixed(1) + ' ' + place[1].toFixed(1) + ')rotate(' +
      place[2].toFixed(0) + ')scale(' + (own * (on ? 1.4 : 1)).toFixed(2) + ')');
    element.setAttribute('data-p', packet);
    element.setAttribute('data-c', channel);
    line.element.classList.add('used');
    self.used.push(line.element);
  });
  this.svg.querySelectorAll('.works').forEach(function (circle) { circle.classList.remove('works'); });
  (schedule.operations[cycle] || []).forEach(function (node) {
    (self.nodes[node] || []).forEach(function (circle) { circle.classList.add('works'); });
  });
  this.pool.splice(number).forEach(function (element) { element.remove(); });
};

// Routes of packets, with the cycles of their hops, and their ends.
View.prototype.pin = function (packets, channel, end) {
  var schedule = this.schedule, routes = this.routes, self = this, labels = {};
  routes.textContent = '';
  this.svg.querySelectorAll('.source, .destination').forEach(function (node) { node.classList.remove('source', 'destination'); });
  this.svg.classList.toggle('pinned', packets.size > 0 || channel !== null);
  function trace(line) { return shape('path', { 'class': 'trace', d: line.element.getAttribute('d') }, routes); }
  packets.forEach(function (packet) {
    schedule.way(packet, end).forEach(function (item) {
      var key = schedule.from[schedule.channel[item]] + '>' + schedule.to[schedule.channel[item]], line = self.lines.get(key);
      if (!line) { return; }
      if (!labels[key]) { trace(line); }
      labels[key] = (labels[key] || []).concat([schedule.cycle[item]]);
    });
    (self.nodes[schedule.source[packet]] || []).forEach(function (node) {
      if (!node.hasAttribute('data-reads')) { node.classList.add('source'); }
    });
    (end !== null ? [end] : schedule.destinations[packet] || []).forEach(function (at) {
      var all = self.nodes[at] || [], reads = all.filter(function (node) { return node.hasAttribute('data-reads'); });
      (reads.length ? reads : all).forEach(function (node) { node.classList.add('destination'); });
    });
  });
  var size = Math.min(Math.max(this.radius * 1.1, 9 / this.scale()), 13);
  Object.keys(labels).forEach(function (key) {
    var place = self.lines.get(key).at(0.45, -0.75 * size), times = labels[key];
    var text = times.length > 3 ? times.slice(0, 2).join(',') + '…' : times.join(',');
    shape('text', { 'class': 'when', x: place[0].toFixed(1), y: (place[1] + size * 0.35).toFixed(1), 'font-size': size.toFixed(1) }, routes)
      .textContent = text;
  });
  if (channel !== null) {
    var line = this.lines.get(schedule.from[channel] + '>' + schedule.to[channel]);
    if (line) { trace(line); }
  }
};

// Sets the part of the drawing that is shown.
View.prototype.move = function () {
  var whole = this.whole, box = this.box;
  box.w = Math.min(whole.w, Math.max(whole.w / 40, box.w));
  box.h = box.w * whole.h / whole.w;
  box.x = Math.min(whole.x + whole.w - box.w, Math.max(whole.x, box.x));
  box.y = Math.min(whole.y + whole.h - box.h, Math.max(whole.y, box.y));
  this.svg.setAttribute('viewBox', [box.x, box.y, box.w, box.h].map(function (n) { return +n.toFixed(1); }).join(' '));
  this.root.classList.toggle('zoomed', this.isZoomed());
  this.label();
};
View.prototype.isZoomed = function () { return this.box.w < this.whole.w * 0.999; };
View.prototype.fit = function () { this.box = Object.assign({}, this.whole); this.move(); };
View.prototype.zoom = function (factor, x, y) {
  var box = this.box, w = Math.min(this.whole.w, Math.max(this.whole.w / 40, box.w / factor)), ratio = w / box.w;
  if (x === undefined) { x = box.x + box.w / 2; y = box.y + box.h / 2; }
  box.x = x - (x - box.x) * ratio;
  box.y = y - (y - box.y) * ratio;
  box.w = w;
  this.move();
};
// Names of the nodes, where there is room for them.
View.prototype.label = function () {
  this.names.textContent = '';
  var scale = this.scale(), box = this.box, self = this, least = this.schedule.nodes[this.schedule.nodes.length - 1].length * 7;
  if (!this.isZoomed() || this.radius * 3 * scale < least) { return; }
  var size = 11 / scale;
  this.nodes.forEach(function (circles, node) {
    circles.forEach(function (circle) {
      var x = +circle.getAttribute('cx'), y = +circle.getAttribute('cy') + self.radius + size;
      if (x > box.x && x < box.x + box.w && y > box.y && y < box.y + box.h + size) {
        shape('text', { 'class': 'name', x: x, y: y.toFixed(1), 'font-size': size.toFixed(2) }, self.names).textContent = self.schedule.nodes[node];
      }
    });
  });
};
// A point of the drawing under a place of the screen.
View.prototype.point = function (event) {
  var at = this.svg.getBoundingClientRect(), scale = Math.min(at.width / this.box.w, at.height / this.box.h);
  var left = at.left + (at.width - this.box.w * scale) / 2, top = at.top + (at.height - this.box.h * scale) / 2;
  return [this.box.x + (event.clientX - left) / scale, this.box.y + (event.clientY - top) / scale];
};

// Wheel, drag with one pointer, pinch with two. `changed` is called at the end.
View.prototype.listen = function (changed) {
  var self = this, pointers = new Map(), moved = false, root = this.root;
  root.addEventListener('wheel', function (event) {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== root) { return; }
    event.preventDefault();
    var at = self.point(event);
    self.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.002)), at[0], at[1]);
    changed();
  }, { passive: false });
  function spread() {
    var all = Array.from(pointers.values());
    return Math.hypot(all[0].clientX - all[1].clientX, all[0].clientY - all[1].clientY);
  }
  root.addEventListener('pointerdown', function (event) { pointers.set(event.pointerId, event); moved = false; });
  root.addEventListener('pointermove', function (event) {
    if (!pointers.has(event.pointerId)) { return; }
    var before = self.point(pointers.get(event.pointerId)), apart = pointers.size === 2 ? spread() : 0;
    var last = pointers.get(event.pointerId);
    if (pointers.size === 1 && !moved && Math.hypot(event.clientX - last.clientX, event.clientY - last.clientY) < 4) { return; }
    moved = true;
    pointers.set(event.pointerId, event);
    var now = self.point(event);
    if (pointers.size === 2) {
      self.zoom(spread() / Math.max(apart, 1), now[0], now[1]);
    } else if (self.isZoomed()) {
      root.setPointerCapture(event.pointerId);
      self.box.x += before[0] - now[0];
      self.box.y += before[1] - now[1];
      self.move();
    }
  });
  ['pointerup', 'pointercancel', 'pointerleave'].forEach(function (name) {
    root.addEventListener(name, function (event) { if (pointers.delete(event.pointerId) && moved) { changed(); } });
  });
  root.addEventListener('dblclick', function (event) {
    var at = self.point(event);
    self.zoom(2, at[0], at[1]);
    changed();
  });
  // a drag is no click
  root.addEventListener('click', function (event) { if (moved) { event.stopPropagation(); moved = false; } }, true);
};
// The picture by itself, with the page's styles.
View.prototype.picture = function () {
  var copy = this.svg.cloneNode(true), paper = getComputedStyle(document.body).backgroundColor, box = this.box;
  copy.classList.add('live');
  copy.setAttribute('width', Math.round(this.whole.w));
  copy.setAttribute('height', Math.round(this.whole.h));
  copy.insertBefore(shape('rect', { x: box.x, y: box.y, width: box.w, height: box.h, fill: paper }), copy.firstChild);
  shape('style', {}, copy).textContent = document.querySelector('style').textContent;
  return new XMLSerializer().serializeToString(copy);
};
