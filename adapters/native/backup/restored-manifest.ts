/** The manifest of a store that is made of a backup. */

import { SYSTEM_NAMESPACE } from '../../../src/model/table-name.ts'
import { newClusterId } from '../manifest/cluster-id.ts'
import type { ManifestEdit, RetiredRegion } from '../manifest/manifest-edit.ts'
import { parseManifest } from '../manifest/manifest-file.ts'
import { encodeManifest } from '../manifest/manifest-rewrite.ts'
import type { RandomSource } from '../platform/file-system.ts'

export interface RestoredParts {
  /** Undefined: all. */
  readonly tables: ReadonlySet<string> | undefined
  /** True: the store has the id of the one that was backed up. Two servers that run side by side must not have the same. */
  readonly keepsIdentity: boolean
  readonly random: RandomSource
}

/** Throws an Error where the bytes are no whole manifest. */
export async function restoredManifest(bytes: Buffer, parts: RestoredParts): Promise<Buffer> {
  const { edits, end, generation, fault } = parseManifest('the manifest', bytes)
  if (fault !== undefined || end !== bytes.length) throw new Error(fault ?? 'it is cut')
  return encodeManifest(generation, restoredEdits(edits, parts))
}

/** The edits of the restored store. */
export function restoredEdits(
  edits: readonly ManifestEdit[],
  { tables, keepsIdentity, random }: RestoredParts,
): ManifestEdit[] {
  const kept = edits.flatMap((edit): ManifestEdit[] => {
    if (edit.kind === 'cluster' && !keepsIdentity) return [{ kind: 'cluster', id: newClusterId(random) }]
    const table = tableOf(edit)
    return table === undefined || isRestored(table, tables) ? [edit] : []
  })
  const isKept = new Set(kept)
  const left = edits.filter((edit) => !isKept.has(edit))
  return [...kept, ...retirementOf(left)]
}

/** Cells mean little without the labels and permissions that they refer to: tables of the system are always restored. `tables`: undefined: all. */
export function isRestored(table: string, tables: ReadonlySet<string> | undefined): boolean {
  return tables === undefined || tables.has(table) || table.startsWith(`${SYSTEM_NAMESPACE}:`)
}

function tableOf(edit: ManifestEdit): string | undefined {
  if (edit.kind === 'table') return edit.table.name
  return edit.kind === 'snapshot' ? edit.snapshot.table.name : undefined
}

/** The log's records of tables that are left out have no region: without this edit a start would set them aside. */
function retirementOf(left: readonly ManifestEdit[]): ManifestEdit[] {
  const regions = left.flatMap((edit): RetiredRegion[] =>
    edit.kind !== 'table'
      ? []
      : edit.table.regions.map(({ number }) => ({
          number,
          table: edit.table.name,
          lastSequenceId: Number.MAX_SAFE_INTEGER,
        })),
  )
  return regions.length === 0 ? [] : [{ kind: 'retired', regions }]
}
