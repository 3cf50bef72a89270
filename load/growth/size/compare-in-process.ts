/** Gets and scans of the engine and of LevelDB in one process, in rounds that alternate. */

import { get, scan } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { type Level, openEngine, openLevel } from './in-process-stores.ts'
import { keyOf, randomRows, TABLE } from './sized-rows.ts'

export interface Compared {
  /** Times LevelDB's gets a second, of rows all over the store. */
  readonly spreadGets: number
  /** The same, of rows that both have in their caches. */
  readonly hotGets: number
  readonly scans: number
}

const ROUNDS = 3
const GETS = 5000
const HOT_ROWS = 2000
/** Times that a round reads them: fewer would time V8's compiler. */
const HOT_TIMES = 10
const GETS_A_CALL = 100
const SCAN_ROWS = 200_000
const BATCH = { rows: 1000, bytes: 2 * 1024 * 1024, allowPartial: false }

function calls(keys: readonly Buffer[]): Buffer[][] {
  const count = Math.ceil(keys.length / GETS_A_CALL)
  return Array.from({ length: count }, (_, i) => keys.slice(i * GETS_A_CALL, (i + 1) * GETS_A_CALL))
}

async function engineGets({ rows, handouts }: Store, keys: readonly Buffer[]): Promise<number> {
  let found = 0
  for (const call of calls(keys)) {
    const gets = call.map((key) => get(key))
    const { counts, loan } = await rows.get(TABLE, gets, { bytes: Number.POSITIVE_INFINITY }, OWN_CALL)
    found += counts.filter((count) => count > 0).length
    if (loan !== undefined) handouts.release(loan)
  }
  return found
}

async function levelGets(level: Level, keys: readonly Buffer[]): Promise<number> {
  let found = 0
  for (const call of calls(keys)) {
    found += (await level.getMany(call)).filter((value) => value !== undefined).length
  }
  return found
}

async function engineScan({ rows, handouts }: Store): Promise<number> {
  const { id } = await rows.openScanner(TABLE, scan({}), OWN_CALL)
  let seen = 0
  for (let ended = false; !ended && seen < SCAN_ROWS; ) {
    const batch = await handouts.next(id, BATCH, OWN_CALL)
    seen += batch.results.counts.length
    ended = batch.ended === 'scan'
    if (batch.results.loan !== undefined) handouts.release(batch.results.loan)
  }
  await handouts.closeScanner(id)
  return seen
}

async function levelScan(level: Level): Promise<number> {
  const iterator = level.iterator({ fillCache: false })
  let seen = 0
  for (let count = 1; count > 0 && seen < SCAN_ROWS; seen += count)
    count = (await iterator.nextv(BATCH.rows)).length
  await iterator.close()
  return seen
}

async function rate(work: (round: number) => Promise<number>, round: number): Promise<number> {
  const since = performance.now()
  return (await work(round)) / (performance.now() - since)
}

/** Calls a second of one side divided by those of the other; `round`: of each pair. The first pair warms up and does not count. */
async function ratio(
  ours: (round: number) => Promise<number>,
  peer: (round: number) => Promise<number>,
): Promise<number> {
  let [mine, others] = [0, 0]
  for (let round = 0; round <= ROUNDS; round++) {
    const [one, other] = [await rate(ours, round), await rate(peer, round)]
    if (round === 0) continue
    mine += one
    others += other
  }
  return mine / others
}

function spreadKeys(rows: number, round: number): Buffer[] {
  return randomRows(rows, GETS, 1 + round).map(keyOf)
}

/** `ourRows`, `peerRows`: numbers of the rows that each side has. */
export async function compareInProcess(
  engineFolder: string,
  levelFolder: string,
  ourRows: number,
  peerRows: number,
): Promise<Compared> {
  const store = await openEngine(engineFolder)
  const level = await openLevel(levelFolder)
  const once = randomRows(Math.min(ourRows, peerRows), HOT_ROWS, 100).map(keyOf)
  const hot = Array.from({ length: HOT_TIMES }, () => once).flat()
  try {
    return {
      spreadGets: await ratio(
        (round) => engineGets(store, spreadKeys(ourRows, round)),
        (round) => levelGets(level, spreadKeys(peerRows, round)),
      ),
      hotGets: await ratio(
        () => engineGets(store, hot),
        () => levelGets(level, hot),
      ),
      scans: await ratio(
        () => engineScan(store),
        () => levelScan(level),
      ),
    }
  } finally {
    await store.close()
    await level.close()
  }
}
