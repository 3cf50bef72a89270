/** The snapshots that the user may see. */

import { isHBaseError } from '../../../model/errors.ts'
import type { SnapshotDescription, Snapshots } from '../../../store/snapshots.ts'
import type { ConsoleRequest } from './console-request.ts'

/** The most snapshots that the page shows, the latest ones. */
const SHOWN_MAX = 500

export async function snapshots(request: ConsoleRequest): Promise<object> {
  const { store, call } = request
  const part = store.upkeep.snapshots
  if (part === undefined) return { isThere: false }
  const all = (await part.listSnapshots(call)).sort((a, b) => b.createdAt - a.createdAt)
  const sizes = await sizesOf(part, request)
  return {
    isThere: true,
    total: all.length,
    snapshots: all.slice(0, SHOWN_MAX).map((each) => shownSnapshot(each, sizes.get(each.name))),
    tables: await namesOfTables(request),
  }
}

async function sizesOf(part: Snapshots, { call }: ConsoleRequest): Promise<ReadonlyMap<string, number>> {
  const sizes = (await part.snapshotSizes?.(call)) ?? []
  return new Map(sizes.map(({ name, bytes }) => [name, bytes]))
}

/** The tables of which the console can make a snapshot; none where it may change nothing. */
async function namesOfTables({ store, call, facts }: ConsoleRequest): Promise<readonly string[]> {
  if (facts.console?.writes !== true) return []
  try {
    return (await store.catalog.listTables(call, 'names')).map(({ name }) => name)
  } catch (error) {
    if (isHBaseError(error) && error.code === 'ACCESS_DENIED') return []
    throw error
  }
}

function shownSnapshot(
  { name, table, type, createdAt, timeToLiveSeconds, owner, regions }: SnapshotDescription,
  bytes: number | undefined,
): object {
  const ttl = timeToLiveSeconds > 0n ? Number(timeToLiveSeconds) : undefined
  const expiresAt = ttl === undefined ? undefined : createdAt + ttl * 1000
  return { name, table, type, createdAt, expiresAt, owner: owner === '' ? undefined : owner, regions, bytes }
}
