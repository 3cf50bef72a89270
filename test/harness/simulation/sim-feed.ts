/**
 * A reader of the simulated store's changes, with a hold on its log, over all lives of the store. From any position on it gets each change that the store
 * has, once and in order; from the hold's position none is missing, unless the hold is lost with a reason.
 */

import { strict as assert } from 'node:assert'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Change, Changes, LogHold } from '../../../src/store/changes.ts'
import { checkLoss } from './hold-losses.ts'
import type { SimAct } from './sim-changes.ts'
import type { SimWorld } from './sim-world.ts'

const HOLD = 'feed.sim'
const ENDLESS = 1 << 30

interface Seen {
  readonly sequenceId: number
  readonly cells: readonly string[]
}

interface Feed {
  /** SimWorld.histories when the hold was made. */
  readonly histories: number
  /** How many acts the history had then. */
  readonly from: number
  readonly keepBytes: number
  /** Of the disk, when the hold was made. */
  readonly refusals: number
  /** Positions that the hold has been moved to: a kill may put it back. */
  readonly positions: number[]
  /** All changes behind the first position. */
  seen: readonly Seen[]
}

const feeds = new WeakMap<SimWorld, Feed>()

export async function readFeed(world: SimWorld): Promise<void> {
  const changes = world.store.upkeep.changes!
  const feed = feeds.get(world)
  if (feed === undefined || feed.histories !== world.histories) return begin(world, changes)
  const hold = (await changes.logHolds(OWN_CALL)).find(({ name }) => name === HOLD)
  assert.ok(hold !== undefined, 'the hold is gone')
  if (hold.loss !== undefined) {
    checkLoss(hold.loss, world, feed.refusals)
    return begin(world, changes)
  }
  try {
    await follow(world, changes, feed, hold)
  } catch (error) {
    if (!isHBaseError(error) || error.code !== 'DO_NOT_RETRY') throw error
    // The step's own bursts may have made more log than the hold keeps.
    const { loss } = (await changes.logHolds(OWN_CALL)).find(({ name }) => name === HOLD)!
    if (loss === undefined) throw error
    checkLoss(loss, world, feed.refusals)
    return begin(world, changes)
  }
}

async function follow(world: SimWorld, changes: Changes, feed: Feed, hold: LogHold): Promise<void> {
  assert.ok(feed.positions.includes(hold.position), `the hold is at ${hold.position}`)
  assert.ok((await changes.firstPosition(OWN_CALL)) <= hold.position, 'the log begins behind the hold')
  const { outcome } = world.burst(world.random.below(4))
  const found = await readOn(world, hold.position)
  await outcome
  found.push(...(await readOn(world, found.at(-1)?.sequenceId ?? hold.position)))
  checkSeen(feed, hold.position, found)
  await world.settle()
  checkAgainstHistory(feed, world.history)
  await readFromSome(world, feed, hold.position)
  await moveHold(world, changes, feed, hold.position)
}

async function begin(world: SimWorld, changes: Changes): Promise<void> {
  await changes.releaseLog(HOLD, OWN_CALL)
  feeds.delete(world)
  if (world.random.chance(0.1)) return
  const keepBytes = world.random.of([700, ENDLESS, ENDLESS])
  const { length: from } = world.history
  const position = await changes.holdLog(HOLD, undefined, keepBytes, OWN_CALL)
  const { refusals } = world.fileSystem
  feeds.set(world, { histories: world.histories, from, keepBytes, refusals, positions: [position], seen: [] })
}

/** All changes behind the position, in parts of any size. */
async function readOn({ store, random }: SimWorld, position: number): Promise<Seen[]> {
  const changes = store.upkeep.changes!
  const found: Seen[] = []
  const end = await changes.lastChange(OWN_CALL)
  for (let at = position; at < end; ) {
    const wanted = { bytes: random.of([1, 100, 1 << 20]), waitMs: 0 }
    const part = await changes.readChanges(at, wanted, OWN_CALL)
    assert.ok(part.position > at, `a read stays at ${at}, and the log goes on to ${end}`)
    for (const change of part.changes) {
      assert.ok(change.sequenceId > (found.at(-1)?.sequenceId ?? position), 'sequence ids grow')
      found.push(seenOf(change))
    }
    at = part.position
  }
  return found
}

function seenOf({ sequenceId, cells }: Change): Seen {
  const texts = cellsOf(cells).map((cell) => {
    const place = [cell.row, cell.family, cell.qualifier].map(String).join('/')
    return `${place}@${cell.timestamp}#${cell.type}=${cell.value.toString('latin1')}`
  })
  return { sequenceId, cells: texts }
}

/** Changes that were seen before come again, all of them, and new ones only behind these. */
function checkSeen(feed: Feed, position: number, found: readonly Seen[]): void {
  const known = feed.seen.filter(({ sequenceId }) => sequenceId > position)
  assert.deepEqual(found.slice(0, known.length), known, 'changes that were read before')
  feed.seen = [...feed.seen, ...found.slice(known.length)]
}

/** Puts of each row and family, which name their change in their values. */
function checkAgainstHistory({ from, seen }: Feed, history: readonly SimAct[]): void {
  const expected = new Map<string, string[]>()
  for (const act of history.slice(from)) {
    if (act.kind !== 'put' && act.kind !== 'batch') continue
    for (const row of act.rows)
      for (const family of act.kind === 'batch' ? ['f', 'g'] : [act.family])
        add(expected, `${row}/${family}`, `v${act.number}`)
  }
  const found = new Map<string, string[]>()
  for (const { cells } of seen) {
    for (const text of cells) {
      const [, place, value] = /^([^/]+\/[^/]+)\/.*=(v\d+)$/.exec(text) ?? []
      if (place !== undefined) add(found, place, value!)
    }
  }
  assert.deepEqual(Object.fromEntries(sorted(found)), Object.fromEntries(sorted(expected)), 'puts in the log')
}

function add(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

function sorted(lists: Map<string, string[]>): [string, string[]][] {
  return [...lists].sort(([a], [b]) => (a < b ? -1 : 1))
}

async function readFromSome(world: SimWorld, { seen }: Feed, held: number): Promise<void> {
  const after = seen.filter(({ sequenceId }) => sequenceId > held)
  if (after.length === 0) return
  const { sequenceId } = world.random.of(after)
  const rest = after.filter((change) => change.sequenceId > sequenceId)
  assert.deepEqual(await readOn(world, sequenceId), rest, `changes behind ${sequenceId}`)
}

async function moveHold(world: SimWorld, changes: Changes, feed: Feed, held: number): Promise<void> {
  const ids = feed.seen.map(({ sequenceId }) => sequenceId).filter((id) => id > held)
  if (ids.length === 0 || world.random.chance(0.3)) return
  const position = world.random.of(ids)
  feed.positions.push(position)
  await changes.holdLog(HOLD, position, feed.keepBytes, OWN_CALL)
}
