/** Commands of four letters, which operators and tools send in place of a session. HBase's `zk_dump` sends `stat`. */

import type { DoorStatistics } from './door-statistics.ts'

export const WORD_BYTES = 4

/** A connection as `stat` lists it. */
export interface ListedConnection {
  readonly remote: string
  readonly hasSession: boolean
  readonly received: number
  readonly sent: number
}

export interface WordFacts {
  readonly version: string
  readonly statistics: DoorStatistics
  readonly connections: () => readonly ListedConnection[]
  readonly zxid: () => bigint
  readonly nodes: () => number
  readonly watches: () => number
  readonly sessions: () => number
  readonly ephemerals: () => number
}

/** Version of ZooKeeper whose protocol the door speaks. HBase 2.6 comes with it. */
const ZOOKEEPER_VERSION = '3.8.4'

const WORDS: Readonly<Record<string, (facts: WordFacts) => string>> = {
  ruok: () => 'imok',
  srvr: (facts) => `${versionLine(facts)}${serverLines(facts)}`,
  stat: (facts) =>
    `${versionLine(facts)}Clients:\n${facts.connections().map(connectionLine).join('')}\n${serverLines(facts)}`,
  isro: () => 'rw',
  mntr: monitorLines,
}

/** Words of ZooKeeper that the door does not answer. */
const OTHER_WORDS: ReadonlySet<string> = new Set(
  'conf cons crst dirs dump envi gtmk hash lead lsnp obsr sysp srst stmk wchc wchp wchs'.split(' '),
)

/** The answer to a four-letter word; undefined where the bytes are none, but the length of a message. */
export function answerWord(word: string, facts: WordFacts): string | undefined {
  if (Object.hasOwn(WORDS, word)) return WORDS[word]!(facts)
  return OTHER_WORDS.has(word) ? `${word} is not executed because it is not in the whitelist.\n` : undefined
}

function versionLine({ version }: WordFacts): string {
  return `Zookeeper version: ${ZOOKEEPER_VERSION}-tidegate-${version}\n`
}

function serverLines({ statistics, connections, zxid, nodes }: WordFacts): string {
  const { min, average, max } = statistics.latency
  const lines = [
    `Latency min/avg/max: ${min}/${average}/${max}`,
    `Received: ${statistics.received}`,
    `Sent: ${statistics.sent}`,
    `Connections: ${connections().length}`,
    'Outstanding: 0',
    `Zxid: 0x${zxid().toString(16)}`,
    'Mode: standalone',
    `Node count: ${nodes()}`,
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function connectionLine({ remote, hasSession, received, sent }: ListedConnection): string {
  return ` /${remote}[${hasSession ? 1 : 0}](queued=0,recved=${received},sent=${sent})\n`
}

function monitorLines(facts: WordFacts): string {
  const { statistics } = facts
  const { min, average, max } = statistics.latency
  const figures = {
    version: `${ZOOKEEPER_VERSION}-tidegate-${facts.version}`,
    server_state: 'standalone',
    avg_latency: average,
    max_latency: max,
    min_latency: min,
    packets_received: statistics.received,
    packets_sent: statistics.sent,
    num_alive_connections: facts.connections().length,
    outstanding_requests: 0,
    znode_count: facts.nodes(),
    watch_count: facts.watches(),
    ephemerals_count: facts.ephemerals(),
    global_sessions: facts.sessions(),
  }
  return Object.entries(figures)
    .map(([name, value]) => `zk_${name}\t${value}\n`)
    .join('')
}
