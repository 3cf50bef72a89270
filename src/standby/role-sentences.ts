/** A server's part in a pair, in words and figures for its operator. */

import { type Follower, lostSentence } from './follower.ts'
import type { StandbyRecord } from './standby-record.ts'

/** `drained`: true: all is here; a text: the reason why the leader could not be asked; undefined: it was not asked. */
export function lossOf(
  record: StandbyRecord,
  follower: Follower | undefined,
  drained: true | string | undefined,
  now: number,
): string {
  const { role, leader, loss, tables } = record
  if (role === 'retired') return 'this server leads again with the data that it had'
  const gaps = Object.entries(tables).flatMap(([name, { gap }]) => (gap === undefined ? [] : [name]))
  const without = gaps.length === 0 ? '' : `; the cells of ${gaps.join(', ')} are not the leader's`
  if (drained === true)
    return `nothing is lost: ${leader} takes no more changes, and all of them are applied${without}`
  const { position = 0, asOf = 0, figures } = follower ?? {}
  const age = ((now - asOf) / 1000).toFixed(1)
  const known = `applied up to position ${position}, as of ${new Date(asOf).toISOString()}, ${age} s ago`
  const left = figures?.leftBytes ?? 0
  const more = left > 0 ? `; at least ${left} bytes of the leader's log are not` : ''
  const why = loss ?? (drained === undefined ? '' : `the leader was not reached: ${drained}`)
  return `${known}${more}; later changes of ${leader} are not here${why === '' ? '' : ` (${why})`}${without}`
}

/** Sentences for an operator; none where all is well. */
export function troublesOf(record: StandbyRecord, follower: Follower | undefined): string[] {
  if (record.role === 'retired') return [retiredReason(record.leader ?? '')]
  if (record.role === 'leader') return []
  const failure = follower?.figures.lastingFailure
  return [
    ...(record.loss === undefined ? [] : [lostSentence(record.loss)]),
    ...(failure === undefined
      ? []
      : [
          `the standby waits for its leader ${record.leader} since ${new Date(failure.since).toISOString()}: ${failure.reason}`,
        ]),
    ...Object.entries(record.tables).flatMap(([table, { gap }]) =>
      gap === undefined ? [] : [`table ${table} is not as at the leader: ${gap}`],
    ),
  ]
}

/** For /health; undefined for a server that leads and was never part of a pair. */
export function healthOf(
  record: StandbyRecord,
  follower: Follower | undefined,
): Readonly<Record<string, string | number>> | undefined {
  const { role, epoch, leader = '', standbys, isPromoted } = record
  if (role === 'leader') return standbys.length === 0 && isPromoted !== true ? undefined : { role, epoch }
  if (follower === undefined) return { role, epoch, leader }
  const { position, asOf, figures } = follower
  return {
    role,
    epoch,
    leader,
    position,
    asOf: new Date(asOf).toISOString(),
    lagBytes: figures.leftBytes,
    lagSeconds: Number(figures.lagSeconds(asOf).toFixed(3)),
  }
}

export function standbyReason(leader: string): string {
  return `this server is a standby, which takes no changes: write to its leader, ${leader}`
}

export function retiredReason(leader: string): string {
  return `this server takes no changes: ${leader} was promoted in its place. An operator makes this one lead again by --lead at a start, or by tidegate promote`
}
