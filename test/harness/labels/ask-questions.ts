/** Asks a server every recorded question about visibility labels, in order. */

import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Clients, Question } from './asking.ts'
import { AUTHS, LABELS, PEOPLE, type Person, SUPERUSER } from './people.ts'

export const TABLE: TableName = parseTableName('labelled')

/** By question. */
export type Answers = Readonly<Record<string, string>>

/** `open`: a client of native RPC whose user that is. */
export async function askQuestions(
  open: (user: string) => Promise<Store>,
  questions: Readonly<Record<string, Question>>,
): Promise<Answers> {
  const opened: [Person, Store][] = []
  for (const person of PEOPLE) opened.push([person, await open(person)])
  const clients = Object.fromEntries(opened) as unknown as Clients
  try {
    await prepare(clients[SUPERUSER])
    const answers: Record<string, string> = {}
    for (const [name, question] of Object.entries(questions)) answers[name] = await question(clients)
    return answers
  } finally {
    for (const [, client] of opened) await client.close()
  }
}

async function prepare({ catalog, upkeep }: Store): Promise<void> {
  const families = [
    familyDescriptor('f', [['VERSIONS', '5']]),
    familyDescriptor('g', [['VERSIONS', '2']]),
    familyDescriptor('n', [
      ['VERSIONS', '5'],
      ['NEW_VERSION_BEHAVIOR', 'true'],
    ]),
  ]
  await catalog.createTable(tableDescriptor(TABLE, families), [], OWN_CALL)
  const labels = upkeep.labels!
  await labels.addLabels(bytes(LABELS), OWN_CALL)
  for (const [user, names] of Object.entries(AUTHS))
    await labels.setAuths(Buffer.from(user), bytes(names), OWN_CALL)
}

function bytes(names: readonly string[]): Buffer[] {
  return names.map((name) => Buffer.from(name))
}
