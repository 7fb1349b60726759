// The panel that tells of a packet, a channel or a node, and the list of a cycle's packets.

function node(name, text, parent, className) {
  var made = document.createElement(name);
  if (text !== null) { made.textContent = text; }
  if (className) { made.className = className; }
  if (parent) { parent.appendChild(made); }
  return made;
}
function count(number, noun) { return number.toLocaleString('en').replace(/,/g, '\u202f') + ' ' + noun + (number === 1 ? '' : 's'); }
function facts(panel, rows) {
  var list = node('dl', null, panel, 'facts');
  rows.forEach(function (row) { node('dt', row[0], list); node('dd', row[1], list); });
}
var MOST_ROWS = 300;

// A list of lines; each is a button that goes to a cycle.
function steps(panel, schedule, items, words) {
  var list = node('ol', null, panel, 'steps');
  items.slice(0, MOST_ROWS).forEach(function (item) {
    var row = node('li', null, list), button = node('button', schedule.unit + ' ' + schedule.cycle[item], row);
    button.type = 'button';
    button.setAttribute('data-cycle', schedule.cycle[item]);
    node('span', words(item), row);
  });
  if (items.length > MOST_ROWS) { node('li', 'and ' + (items.length - MOST_ROWS) + ' more', list); }
}
function tellPacket(panel, schedule, packet, end) {
  var route = schedule.way(packet, end), ends = schedule.destinations[packet];
  node('h4', 'Packet ' + packet, panel);
  var rows = [['source', schedule.nodes[schedule.source[packet]]], [ends && ends.length === 1 ? 'destination' : 'destinations', schedule.ends(packet)]];
  if (end !== undefined && end !== null && !(ends && ends.length === 1)) { rows.push(['shown to', schedule.nodes[end]]); }
  if (route.length) {
    var last = route[route.length - 1], latency = schedule.latency ? schedule.latency[schedule.channel[last]] : 1;
    rows.push(['hops', String(route.length)], [schedule.unit + 's', schedule.cycle[route[0]] + '–' + (schedule.cycle[last] + latency - 1)]);
  }
  facts(panel, rows);
  if (!route.length) { node('p', schedule.shown < schedule.cycles ? 'No hop in the part of the schedule that is on the page.' : 'It crosses no channel.', panel); }
  steps(panel, schedule, route, function (item) { return schedule.line(schedule.channel[item]); });
}
function tellChannel(panel, schedule, channel) {
  var uses = schedule.uses(channel);
  node('h4', 'Channel ' + schedule.line(channel), panel);
  var share = schedule.shown ? Math.round(100 * uses.length / schedule.shown) : 0;
  facts(panel, [['used in', count(uses.length, schedule.unit) + ' (' + share + ' %)']]);
  steps(panel, schedule, uses, function (item) { return schedule.title(schedule.packet[item]); });
}
function tellNode(panel, schedule, number, cycle) {
  var out = 0, into = 0;
  node('h4', 'Node ' + schedule.nodes[number], panel);
  for (var i = schedule.byCycle[cycle] || 0; i < (schedule.byCycle[cycle + 1] || 0); i++) {
    out += schedule.from[schedule.channel[i]] === number;
    into += schedule.to[schedule.channel[i]] === number;
  }
  facts(panel, [['sends now', count(out, 'packet')], ['is sent now', count(into, 'packet')]]);
}
// The packets of a cycle in words.
function tellCycle(list, schedule, cycle) {
  var body = list.querySelector('tbody'), items = [], more = 0;
  for (var i = schedule.byCycle[cycle]; cycle < schedule.shown && i < schedule.byCycle[cycle + 1]; i++) {
    if (items.length < 1000) { items.push(i); } else { more += 1; }
  }
  list.querySelector('summary').textContent = 'Hops in ' + schedule.unit + ' ' + cycle + ': ' + (items.length + more);
  body.textContent = '';
  if (!list.open) { return; }
  items.forEach(function (item) {
    var row = node('tr', null, body), packet = schedule.packet[item];
    row.setAttribute('data-p', packet);
    [packet, schedule.line(schedule.channel[item]), schedule.title(packet)].forEach(function (text) { node('td', text, row); });
  });
  if (more) { node('td', 'and ' + more + ' more', node('tr', null, body)).colSpan = 3; }
}
