import type { RestClient } from './rest-table.ts'

/** Sees to it that the tables are not there. Throws where one is, unless it may be replaced: then it is dropped. */
export async function makeWay(
  client: RestClient,
  names: readonly string[],
  mayReplace: boolean,
): Promise<void> {
  for (const name of names) {
    const table = client.table(name)
    if (!(await table.exists())) continue
    if (!mayReplace) throw new Error(`the table ${name} is there already: --replace drops it`)
    await table.drop()
  }
}
