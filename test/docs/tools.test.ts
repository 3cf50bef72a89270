/** The examples of docs/tools.md, run one after the other in one folder. `…` in an answer stands for any text. */

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openNativeStore } from '../../adapters/native/open-native-store.ts'
import { NODE_FILE_SYSTEM } from '../../adapters/native/platform/node-file-system.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

/** The store of the examples: a table `orders` of 2000 rows. */
async function makeShop(directory: string): Promise<void> {
  const clock = { now: (): number => 1_700_000_000_000 }
  const store = await openNativeStore({ directory, fileSystem: NODE_FILE_SYSTEM, clock, random: () => 0.5 })
  const table = parseTableName('orders')
  await store.catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [], OWN_CALL)
  const batch = new MutationBatch()
  for (let number = 0; number < 2000; number++) {
    const row = Buffer.from(`order-${String(number).padStart(5, '0')}`)
    batch.put(row, Buffer.from('f'), Buffer.from('total'), Buffer.from(`${number}.00 of 100`)).endMutation()
  }
  await store.rows.mutate(table, batch, OWN_CALL)
  await store.close()
}

interface Example {
  readonly command: string
  readonly answer: readonly string[]
}

function examples(): Example[] {
  const text = readFileSync('docs/tools.md', 'utf8')
  const lines = [...text.matchAll(/^```console\n([\s\S]*?)^```/gm)].flatMap((match) =>
    match[1]!.trimEnd().split('\n'),
  )
  const found: { command: string; answer: string[] }[] = []
  for (const line of lines) {
    if (line.startsWith('$ ')) found.push({ command: line.slice(2), answer: [] })
    else found.at(-1)!.answer.push(line)
  }
  return found
}

function ran(command: string, folder: string): string[] {
  const script = `tidegate() { "${process.execPath}" "${MAIN}" "$@"; }\n${command}`
  const { stdout, status } = spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' })
  const lines = stdout.trimEnd().split('\n')
  return status === 0 ? lines : [...lines, `(exit code ${status})`]
}

function pattern(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

test('answer what the document says', { timeout: 120_000 }, () =>
  inTemporaryFolder(async (folder) => {
    await makeShop(`${folder}/shop`)
    const found = examples()
    expect(found.length).toBeGreaterThan(7)
    for (const { command, answer } of found) {
      const lines = ran(command, folder)
      expect(lines, command).toEqual(answer.map((line) => expect.stringMatching(pattern(line))))
    }
  }),
)
