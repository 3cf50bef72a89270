/** Tables of which a peer lacks cells that came without the log: of a restored or cloned snapshot. Each is a difference that stays until the table is copied. */

import { isHBaseError } from '../model/errors.ts'
import type { TableName } from '../model/table-name.ts'
import { parseTableName } from '../model/table-name.ts'
import { OWN_CALL } from '../store/call.ts'
import type { Catalog } from '../store/catalog.ts'
import type { LogHold } from '../store/changes.ts'
import { isTableWanted, type PeerChoice } from '../store/peer-description.ts'
import type { PeerFigures } from './peer-figures.ts'
import type { SenderParts } from './sender-parts.ts'

export interface UnloggedParts {
  readonly catalog: Pick<Catalog, 'table'>
  readonly log: SenderParts['log']
}

/** Notes the tables of the hold that the peer gets and that are there. The log of the server names each once. */
export async function noteUnlogged(
  { unlogged }: Pick<LogHold, 'unlogged'>,
  choice: PeerChoice,
  figures: PeerFigures,
  { catalog, log }: UnloggedParts,
): Promise<void> {
  const found: string[] = []
  for (const name of unlogged) {
    const table = parseTableName(name)
    if (isTableWanted(choice, table) && (await isThere(catalog, table))) found.push(name)
  }
  const before = figures.unlogged
  figures.unlogged = found
  for (const name of found) if (!before.includes(name)) log('warn', unloggedSentence(figures.peerId, name))
}

async function isThere(catalog: UnloggedParts['catalog'], table: TableName): Promise<boolean> {
  try {
    await catalog.table(table, OWN_CALL)
    return true
  } catch (error) {
    if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return false
    throw error
  }
}

export function unloggedSentence(peerId: string, table: string): string {
  return `peer ${peerId} lacks cells of the table ${table}, which came without the log, as those of a snapshot do: copy the table to it, remove the peer and add it again`
}
