import { setImmediate as nextTurn } from 'node:timers/promises'
import { replicaOfEncoded } from '../model/region-name.ts'

/** Names of copies that are made at a stretch: a few milliseconds' work. */
const DIGESTS_A_TURN = 2000

/** Finds the copy of that encoded name among those of regions, `copiesOf` each. Such a name is a digest, and has to be made. */
export async function copyOfEncodedName<R extends { readonly name: Buffer }>(
  regions: Iterable<R>,
  copiesOf: (region: R) => number,
  encodedName: string,
): Promise<{ readonly region: R; readonly replica: number } | undefined> {
  let digests = 0
  for (const region of regions) {
    const copies = copiesOf(region)
    const replica = replicaOfEncoded(region.name, copies, encodedName)
    if (replica !== undefined) return { region, replica }
    digests += copies
    if (digests < DIGESTS_A_TURN) continue
    digests = 0
    await nextTurn()
  }
  return undefined
}
