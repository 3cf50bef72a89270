/** The page of replication: peers with their state and lag, and the server's part in a pair. */

import { get } from './api.js'
import { h, table } from './dom.js'
import { badge, definitions, emptyState, hiddenState, moment } from './parts.js'
import { poll } from './poll.js'
import { duration, size } from './words.js'

const REFRESH_MS = 3000
/** A peer that is farther behind is marked. */
const LATE_MS = 60_000

/**
 * @typedef {object} Peer
 * @property {string} id
 * @property {string} clusterKey
 * @property {boolean} isEnabled
 * @property {number} bandwidth
 * @property {boolean} replicateAll
 * @property {readonly string[]} tables
 * @property {readonly string[]} namespaces
 * @property {number} [lagMs]
 * @property {number} [lastShippedAt]
 * @property {boolean} [isRunning]
 */

/** @param {import('./app.js').Shown} shown */
export async function showReplication({ main, server, signal }) {
  const place = h('div', {})
  main.append(h('h1', {}, 'Replication'), place)
  let shownText = ''
  await poll(
    async () => {
      const answer = await get('replication', [], signal)
      const text = JSON.stringify(answer)
      if (text === shownText) return
      shownText = text
      place.replaceChildren(...drawn(answer, server.store))
    },
    { everyMs: REFRESH_MS, signal, main },
  )
}

/** @param {any} answer @param {string} store */
function drawn(answer, store) {
  if (answer.isHidden) return [hiddenState('Replication', answer)]
  return [...(answer.pair ? [pairCard(answer.pair)] : []), peersPart(answer, store)]
}

/** @param {Readonly<Record<string, string | number>>} pair */
function pairCard(pair) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Leader and standby'),
    definitions(Object.entries(pair).map(([name, value]) => [name, String(value)])),
  )
}

/** @param {any} answer @param {string} store */
function peersPart(answer, store) {
  if (!answer.isThere)
    return emptyState(
      'No replication here',
      store === 'memory'
        ? 'The memory store sends its changes to no other cluster. Serve with --store native:DIRECTORY for that.'
        : 'This store reports no replication peers.',
    )
  if (answer.peers.length === 0)
    return emptyState(
      'No replication peers',
      'A peer is another cluster that gets the changes of this one. Add one in the shell: ',
      h('code', {}, "add_peer '1', CLUSTER_KEY => 'HOST:2181:/hbase'"),
      '.',
    )
  const rows = answer.peers.map((/** @type {Peer} */ peer) => [
    peer.id,
    h('code', {}, peer.clusterKey),
    badge(peer.isEnabled ? 'enabled' : 'disabled', peer.isEnabled ? 'good' : 'soft'),
    lagOf(peer),
    peer.lastShippedAt === undefined ? '-' : moment(peer.lastShippedAt),
    choiceOf(peer),
    peer.bandwidth > 0 ? `${size(peer.bandwidth)}/s` : 'no limit',
  ])
  return table(
    'Replication peers',
    ['Peer', 'Cluster', 'State', '#Lag', 'Last sent', 'Tables', '#Bandwidth'],
    rows,
  )
}

/** @param {Peer} peer */
function lagOf({ lagMs, isEnabled }) {
  if (lagMs === undefined) return '-'
  if (lagMs === 0) return 'none'
  return isEnabled && lagMs > LATE_MS ? badge(`behind by ${duration(lagMs)}`, 'bad') : duration(lagMs)
}

/** @param {Peer} peer */
function choiceOf({ replicateAll, tables, namespaces }) {
  const named = [...namespaces.map((name) => `namespace ${name}`), ...tables]
  if (!replicateAll) return named.length === 0 ? 'nothing' : named.join(', ')
  return named.length === 0 ? 'all tables that replicate' : `all but ${named.join(', ')}`
}
