// Schedules from the data of the page: transfers by cycle, by packet and by channel.

// Positions of the numbers in `of`, ordered by number; `start[n]` is the first of number n.
function ordered(of, count) {
  var start = new Int32Array(count + 2), i;
  for (i = 0; i < of.length; i++) { start[of[i] + 2]++; }
  for (i = 2; i < start.length; i++) { start[i] += start[i - 1]; }
  var order = new Int32Array(of.length);
  for (i = 0; i < of.length; i++) { order[start[of[i] + 1]++] = i; }
  return { start: start, order: order };
}

function Schedule(text) {
  var data = JSON.parse(text), self = this;
  this.unit = data.head.unit;
  this.cycles = data.head.cycles;
  this.shown = data.head.shown;
  this.nodes = data.head.nodes;
  this.from = [];
  this.to = [];
  var first = [], loop = [];
  data.head.next.forEach(function (ports, node) {
    first.push(self.from.length);
    loop.push(ports.indexOf(node));
    ports.forEach(function (to, port) { if (port !== loop[node]) { self.from.push(node); self.to.push(to); } });
  });
  this.latency = data.head.latency;
  this.operations = data.head.operations;  // by cycle: nodes
  this.longest = (this.latency || [1]).reduce(function (a, b) { return Math.max(a, b); }, 1);
  this.source = [];        // by packet: node; nothing for a number that is no packet
  this.destinations = [];  // by packet: nodes
  var cycles = [], channels = [], packets = [];
  function add(cycle, channel, packet) {
    if (cycle < self.shown) { cycles.push(cycle); channels.push(channel); packets.push(packet); }
  }
  function channelOf(node, port) {
    return first[node] + port - (loop[node] !== -1 && port > loop[node] ? 1 : 0);
  }
  if (data.body.moves) { this.unfold(data.body, data.head.next, loop, channelOf, add); } else { this.list(data.body, add); }
  this.finish(cycles, channels, packets);
}

// A program: every node of a move sends along the same ports.
Schedule.prototype.unfold = function (body, next, loop, channelOf, add) {
  var self = this, count = next.length;
  body.moves.forEach(function (move) {
    var value = body.values[move[0]], who = move[1], burst = move[2], period = move[3], hops = move[4];
    var places = value[2] === -1 ? count : 1;
    for (var origin = who === -1 ? 0 : who; origin < (who === -1 ? count : who + 1); origin++) {
      var at = [], kept = [], batch, i;
      for (i = 0; i < hops.length; i += 4) {
        var node = hops[i + 1] === -1 ? origin : at[hops[i + 1]], port = hops[i + 2];
        at.push(next[node][port]);
        if (hops[i + 3]) { kept.push(next[node][port]); }
        if (port === loop[node]) { continue; }
        for (batch = 0; batch < value[1]; batch++) {
          var cycle = hops[i] + Math.floor(batch / burst) * period + batch % burst;
          add(cycle, channelOf(node, port), value[0] + batch * places + (places === 1 ? 0 : origin));
        }
      }
      for (batch = 0; batch < value[1]; batch++) {
        var packet = value[0] + batch * places + (places === 1 ? 0 : origin);
        self.source[packet] = origin;
        self.destinations[packet] = (self.destinations[packet] || []).concat(kept);
      }
    }
  });
  this.destinations = this.destinations.map(function (all, packet) {
    var once = all.filter(function (node, i) { return all.indexOf(node) === i; });
    if (once.length !== 1) { once = once.filter(function (node) { return node !== self.source[packet]; }); }
    return once.length ? once : [self.source[packet]];
  });
};

// Packets and transfers one by one.
Schedule.prototype.list = function (body, add) {
  var self = this;
  body.packets.forEach(function (row) {
    self.source[row[0]] = row[1];
    self.destinations[row[0]] = row[2] === -1 ? null : row.slice(2);
  });
  body.transfers.forEach(function (row, cycle) {
    var channel = 0;
    row[0].forEach(function (step, i) { channel += step; add(cycle, channel, row[1][i]); });
  });
};

Schedule.prototype.finish = function (cycles, channels, packets) {
  var by = ordered(cycles, this.shown);
  function sorted(list) { return Int32Array.from(by.order, function (i) { return list[i]; }); }
  this.cycle = sorted(cycles);
  this.channel = sorted(channels);
  this.packet = sorted(packets);
  this.byCycle = by.start;
  this.byPacket = ordered(this.packet, this.source.length);
  this.byChannel = ordered(this.channel, this.from.length);
  this.numbers = {};
  this.nodes.forEach(function (name, node) { this.numbers[plain(name)] = node; }, this);
};

// A node's name as it may be typed: without brackets and blanks.
function plain(name) { return name.replace(/[()\s]/g, '').toLowerCase(); }

Schedule.prototype.range = function (index, number) {
  return Array.from(index.order.subarray(index.start[number], index.start[number + 1]));
};
Schedule.prototype.route = function (packet) {
  return packet in this.source ? this.range(this.byPacket, packet) : [];
};
// The hops of a packet on its way to one of its destinations alone.
Schedule.prototype.way = function (packet, end) {
  var route = this.route(packet), way = [], at = end;
  if (end === undefined || end === null) { return route; }
  for (var i = route.length - 1; i >= 0 && at !== this.source[packet]; i--) {
    if (this.to[this.channel[route[i]]] !== at) { continue; }
    way.unshift(route[i]);
    at = this.from[this.channel[route[i]]];
  }
  return at === this.source[packet] ? way : route;
};
Schedule.prototype.uses = function (channel) { return this.range(this.byChannel, channel); };
Schedule.prototype.count = function (cycle) {
  return cycle < this.shown ? this.byCycle[cycle + 1] - this.byCycle[cycle] : 0;
};
// Packets that enter channels in a cycle; one may enter several.
Schedule.prototype.different = function (cycle) {
  return cycle < this.shown ? new Set(this.packet.subarray(this.byCycle[cycle], this.byCycle[cycle + 1])).size : 0;
};
// Transfers that enter channels in a cycle, then those that entered before and are still on their way.
Schedule.prototype.at = function (cycle) {
  var all = [], i, before;
  for (before = 0; before < this.longest; before++) {
    if (cycle < before || cycle - before >= this.shown) { continue; }
    for (i = this.byCycle[cycle - before]; i < this.byCycle[cycle - before + 1]; i++) {
      if (before === 0 || this.latency[this.channel[i]] > before) { all.push(i); }
    }
  }
  return all;
};
Schedule.prototype.isFor = function (packet, node) {
  var all = this.destinations[packet];
  return all ? all.indexOf(node) !== -1 : node !== this.source[packet];
};
Schedule.prototype.ends = function (packet) {
  var all = this.destinations[packet], names = this.nodes;
  if (!all) { return 'all others'; }
  if (all.length > 6) { return all.length + ' nodes'; }
  return all.map(function (node) { return names[node]; }).join(' ');
};
Schedule.prototype.title = function (packet) { return this.nodes[this.source[packet]] + ' → ' + this.ends(packet); };
Schedule.prototype.line = function (channel) { return this.nodes[this.from[channel]] + ' → ' + this.nodes[this.to[channel]]; };
// Packets from a node to another one.
Schedule.prototype.find = function (source, destination) {
  var found = [];
  this.source.forEach(function (node, packet) {
    if (node === source && this.isFor(packet, destination)) { found.push(packet); }
  }, this);
  return found;
};
Schedule.prototype.csv = function () {
  var self = this, rows = [this.unit + ',from,to,source,destination'];
  function quoted(text) { return '"' + text.replace(/"/g, '""') + '"'; }
  function ends(packet) {
    var all = self.destinations[packet];
    return all ? all.map(function (node) { return self.nodes[node]; }).join(' ') : 'all others';
  }
  for (var i = 0; i < this.cycle.length; i++) {
    var channel = this.channel[i], packet = this.packet[i];
    rows.push([this.cycle[i], quoted(this.nodes[this.from[channel]]), quoted(this.nodes[this.to[channel]]),
      quoted(this.nodes[this.source[packet]]), quoted(ends(packet))].join(','));
  }
  return rows.join('\r\n') + '\r\n';
};
