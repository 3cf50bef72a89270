import type { DamagedRows, StoreDamage } from '../../../src/store/store.ts'
import type { Engine } from '../engine/engine.ts'
import { HFile } from '../hfile/hfile.ts'
import type { FileDamage } from '../region/known-damage.ts'

/** Rows by the offset at which a read failed. The search goes through the index of the whole file, and health asks every few seconds. */
const knownRows = new WeakMap<HFile, Map<number, DamagedRows | undefined>>()

/** The known damage, with the regions and rows that it affects. */
export function locatedDamage({ storeFiles, tables }: Pick<Engine, 'storeFiles' | 'tables'>): StoreDamage[] {
  const list = storeFiles.damage.list()
  if (list.length === 0) return []
  const needed = new Map<string, { readonly regions: string[]; file: HFile | undefined }>()
  for (const { path } of list) needed.set(path, { regions: [], file: undefined })
  for (const { stores, encodedName } of tables.regions.values())
    for (const { files } of stores)
      for (const { run } of files) {
        const { path } = run
        const found = needed.get(path)
        if (found === undefined) continue
        found.regions.push(encodedName)
        if (run instanceof HFile) found.file = run
      }
  return list.map(({ offsets, ...damage }) => {
    const { regions = [], file } = needed.get(damage.path) ?? {}
    const rows = file === undefined ? [] : rowsOf(file, offsets)
    return { ...damage, directory: storeFiles.directory, regions, ...(rows.length > 0 && { rows }) }
  })
}

/** Empty where a fault is outside of the data blocks. */
function rowsOf(file: HFile, offsets: FileDamage['offsets']): readonly DamagedRows[] {
  let known = knownRows.get(file)
  if (known === undefined) {
    known = new Map()
    knownRows.set(file, known)
  }
  const rows: DamagedRows[] = []
  for (const offset of offsets) {
    if (!known.has(offset)) known.set(offset, rowsAt(file, offset))
    const found = known.get(offset)
    if (found === undefined) return []
    rows.push(found)
  }
  return rows
}

function rowsAt(file: HFile, offset: number): DamagedRows | undefined {
  try {
    return file.rowsAt(offset)
  } catch {
    // The index is damaged, too.
    return undefined
  }
}
