/** Checks the manifest against its copy, its edits against one another, and the tables and snapshots that they come to. */

import type { TableRecord } from '../manifest/manifest-edit.ts'
import { isWithinRegion } from './file-bounds.ts'
import { REPAIR_ADVICE, type Report } from './finding.ts'
import { type FolderState, manifestPaths } from './store-folder.ts'

export function checkManifest(state: FolderState, directory: string, report: Report): void {
  const [path] = manifestPaths(directory)
  for (const remark of state.remarks) {
    const severity = remark.level === 'error' ? 'error' : 'note'
    const advice = 'nothing: the next start mends it from the other'
    report({ severity, path: remark.path, offset: remark.offset, message: remark.message, advice })
  }
  const fault = (offset: number | undefined, message: string): void =>
    report({ severity: 'error', path, offset, message, advice: REPAIR_ADVICE })
  if (state.refusal !== undefined) {
    const offset = state.refusal.detail?.['offset']
    fault(typeof offset === 'number' ? offset : undefined, `${state.refusal.message}: a start is refused`)
  }
  for (const { offset, end } of state.lostEdits)
    fault(offset, `no copy has a whole edit from here to byte ${end}`)
  for (const misfit of state.misfits) fault(undefined, `an edit does not fit those before it: ${misfit}`)
  checkTables(state, (message) => fault(undefined, message))
}

function checkTables({ catalog }: FolderState, report: (message: string) => void): void {
  const numbers = new Set<number>()
  for (const table of catalog.tables.values()) checkTable(table, `table ${table.name}`, numbers, report)
  for (const { name, table } of catalog.snapshots.values())
    checkTable(table, `table ${table.name} in the snapshot ${name}`, numbers, report)
}

function checkTable(
  { families, regions }: TableRecord,
  where: string,
  numbers: Set<number>,
  report: (message: string) => void,
): void {
  for (const region of regions) {
    for (const file of region.files) {
      const { number, family } = file
      if (!families.some((known) => known.name.equals(family)))
        report(
          `file ${number} of ${where} is of the family ${family.toString()}, which the table does not have`,
        )
      if (!isWithinRegion(file, region)) report(`file ${number} of ${where} has bounds outside its region`)
      if (numbers.has(number)) report(`two regions have a file ${number}`)
      numbers.add(number)
    }
  }
}
