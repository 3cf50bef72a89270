/** The names of the holds that replication peers have on the log. PERSISTED: a store finds its holds by them after a restart. */

const PREFIX = 'replication-peer.'

export function peerHold(peerId: string): string {
  return `${PREFIX}${peerId}`
}

/** Undefined for a hold of another purpose. */
export function peerOfHold(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined
}
