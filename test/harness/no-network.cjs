// Loaded before a server and in each of its threads (--require): ends the process, loudly, at the first connection to
// elsewhere or question of a name.
const dgram = require('node:dgram')
const dns = require('node:dns')
const { syncBuiltinESMExports } = require('node:module')
const net = require('node:net')
const { writeSync } = require('node:fs')

/** @param {string} what */
function refuse(what) {
  writeSync(2, `network: ${what}\n`)
  process.exit(99)
}

net.Socket.prototype.connect = () => refuse('a connection')
dgram.createSocket = () => refuse('a datagram socket')
const { lookup } = dns
dns.lookup = (name, ...rest) => (net.isIP(name) > 0 ? lookup(name, ...rest) : refuse(`lookup of ${name}`))
for (const name of Object.keys(dns)) {
  if (name.startsWith('resolve')) dns[name] = () => refuse(name)
}
globalThis.fetch = () => refuse('fetch')
syncBuiltinESMExports()
