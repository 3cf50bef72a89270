/** A small store with everything a folder can hold, and what the tools say of it. */

import type { Finding } from '../../../../adapters/native/inspect/finding.ts'
import type { FolderCheck } from '../../../../adapters/native/inspect/folder-check.ts'
import { checkFolder } from '../../../../adapters/native/inspect/folder-check.ts'
import { type RepairParts, repairFolder } from '../../../../adapters/native/inspect/repair.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { numbered, StoreUnderTest, TABLE } from '../store-under-test.ts'

export const ROWS: readonly string[] = numbered(60)
/** In the log only. */
export const LATER_ROWS: readonly string[] = ['s1', 's2', 's3']

/** Two regions, store files with a bloom filter of rows, of columns and none, family tombstones, and logs of several records. */
export async function damageableStore(): Promise<CrashableFileSystem> {
  const session = await StoreUnderTest.open({ wal: { logBytesMax: 4000, syncEveryBytes: 1000 } })
  const families = (['NONE', 'ROW', 'ROWCOL'] as const).map((bloom, index) =>
    familyDescriptor('fgh'[index]!, [
      ['BLOOMFILTER', bloom],
      ['BLOCKSIZE', '1024'],
      ...(bloom === 'ROW' ? ([['COMPRESSION', 'GZ']] as const) : []),
    ]),
  )
  await session.createTable(tableDescriptor(TABLE, families), ['r000040'])
  for (const family of ['f', 'g', 'h']) await session.put(ROWS, { family })
  const batch = new MutationBatch().deleteRow(Buffer.from('r000007'))
  batch.endMutation()
  await session.store.rows.mutate(TABLE, batch, OWN_CALL)
  await session.flush()
  // The log says that the disk has had them.
  for (const row of LATER_ROWS) await session.put([row], { durability: 'FSYNC_WAL' })
  return session.fileSystem.killed()
}

export interface Checked {
  readonly check: FolderCheck | undefined
  readonly findings: Finding[]
}

export function checked(fileSystem: CrashableFileSystem): Checked {
  const findings: Finding[] = []
  const check = checkFolder({
    fileSystem,
    directory: '/s',
    report: (finding) => findings.push(finding),
  })
  return { check, findings }
}

export function worst({ findings }: Checked): Finding[] {
  return findings.filter(({ severity }) => severity !== 'note')
}

/** What a repair says. */
export async function repaired(
  fileSystem: CrashableFileSystem,
  isDryRun = false,
  options: Pick<RepairParts, 'pieceBytes'> = {},
): Promise<string[]> {
  const said: string[] = []
  await repairFolder({
    fileSystem,
    directory: '/s',
    clock: { now: () => 1 },
    isDryRun,
    say: (line) => said.push(line),
    ...options,
  })
  return said
}
