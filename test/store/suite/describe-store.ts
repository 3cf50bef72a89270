import { afterEach, describe } from 'vitest'
import { describeAlterations } from './alterations.ts'
import { describeAppends } from './appends.ts'
import { describeBatches } from './batches.ts'
import { describeCallers } from './callers.ts'
import { describeCatalogEvents } from './catalog-events.ts'
import { describeCompactions } from './compactions.ts'
import { describeConditionComparators } from './condition-comparators.ts'
import { describeConditions } from './conditions.ts'
import { describeDeletes, describeDeletesInMemory } from './deletes.ts'
import { describeFlushes } from './flushes.ts'
import { describeHandouts } from './handouts.ts'
import { describeIncrements } from './increments.ts'
import { describeLifecycle } from './lifecycle.ts'
import { describeNamespaces } from './namespaces.ts'
import { describeNewVersions } from './new-versions.ts'
import { describeNonces } from './nonces.ts'
import { describePast } from './past.ts'
import { describeProgress } from './progress.ts'
import { describeRegionChanges } from './region-changes.ts'
import { describeRegionCopies } from './region-copies.ts'
import { describeRegionRefusals } from './region-refusals.ts'
import { describeRegionTargets } from './region-targets.ts'
import { describeRegions } from './regions.ts'
import { describeRowChanges } from './row-changes.ts'
import { describeRows } from './rows.ts'
import { describeRowsMutations } from './rows-mutations.ts'
import { describeScans } from './scans.ts'
import { describeSnapshots } from './snapshots.ts'
import { type OpenStore, Session, type StoreUnderTest, type Whereabouts } from './store-under-test.ts'
import { describeTables } from './tables.ts'
import { describeTags } from './tags.ts'
import { describeVersions, describeVersionsInMemory } from './versions.ts'

/**
 * The suite that all stores pass. Its facts were seen on HBase 2.6.1. `places`: where the cells are when the suite reads
 * them.
 */
export function describeStore(name: string, open: OpenStore, places: readonly Whereabouts[]): void {
  for (const place of places) {
    describe(`${name}, cells ${place}`, () => {
      const start = starter(open, place)
      describeRows(start)
      describeVersions(start)
      describeNewVersions(start)
      describeDeletes(start)
      describeScans(start)
      describeIncrements(start)
      describeAppends(start)
      describeRowChanges(start)
      describeConditions(start)
      describeBatches(start)
      describeRowsMutations(start)
      describeRegionTargets(start)
      describeRegionChanges(start)
      describeRegionCopies(start)
      describePast(start)
      describeProgress(start)
      describeConditionComparators(start)
      describeHandouts(start)
      describeTags(start)
    })
  }
  describe(name, () => {
    const start = starter(open, 'as written')
    describeVersionsInMemory(start)
    describeDeletesInMemory(start)
    describeFlushes(start)
    describeCompactions(start)
    describeNamespaces(start)
    describeTables(start)
    describeAlterations(start)
    describeRegions(start)
    describeRegionRefusals(start)
    describeSnapshots(start)
    describeLifecycle(start)
    describeNonces(start)
    describeCallers(start)
    describeCatalogEvents(start)
  })
}

/** Opens a store for each case and closes it afterwards. */
function starter(open: OpenStore, place: Whereabouts): () => Promise<Session> {
  const opened: StoreUnderTest[] = []
  afterEach(async () => {
    for (const under of opened.splice(0)) await under.close()
  })
  return async () => {
    const under = await open()
    opened.push(under)
    return new Session(under, place)
  }
}
