import { compileJavaRegex } from '../../filter/regex/java-regex.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { ANY_NAME } from '../context/tables-known.ts'
import { textOf, type Value } from '../ruby/values.ts'

export const LIST_REPLICATED_TABLES: ShellCommand = {
  name: 'list_replicated_tables',
  min: 0,
  max: 1,
  run: listReplicatedTables,
}

const SCOPES: Readonly<Record<string, string>> = { 1: 'GLOBAL', 2: 'SERIAL' }

async function listReplicatedTables(
  { store, out, call }: CommandContext,
  [pattern = ANY_NAME]: readonly Value[],
): Promise<void> {
  out.header(['TABLE:COLUMNFAMILY', 'ReplicationType'], [32])
  const regex = compileJavaRegex(textOf(pattern), 0)
  for (const { name, families } of await store.catalog.listTables(call)) {
    if (!regex.find(name)) continue
    for (const family of families) {
      const scope = SCOPES[family.attributes.get('REPLICATION_SCOPE') ?? '0']
      if (scope !== undefined) out.row([`${name}:${family.name.toString()}`, scope], true, [32])
    }
  }
  out.footer()
}
