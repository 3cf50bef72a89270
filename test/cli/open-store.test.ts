import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { openStore } from '../../src/cli/open-store.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { parseTableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

const TABLE = parseTableName('t')

it('the log of the embedded engine tells the reason of an error', async () => {
  await inTemporaryFolder(async (directory) => {
    const output = new PassThrough()
    const store = await openStore({ kind: 'native', directory, options: {} }, pino(output))
    await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
    const batch = new MutationBatch()
    batch.put(Buffer.from('r'), Buffer.from('f'), Buffer.from('q'), Buffer.from('v')).endMutation()
    await store.rows.mutate(TABLE, batch, OWN_CALL)
    writeFileSync(join(directory, 'data'), 'a file where the folder of the store files must be')
    await expect(store.upkeep.flushes!.flushTable(TABLE, OWN_CALL)).rejects.toMatchObject({ code: 'IO' })
    await store.close()
    const lines = String(output.read()).trim().split('\n')
    const failures = lines.map((line) => JSON.parse(line) as object).filter((line) => 'err' in line)
    expect(failures).toContainEqual(
      expect.objectContaining({
        msg: expect.stringContaining('could not be flushed'),
        err: expect.objectContaining({ message: expect.stringContaining('ENOTDIR') }),
      }),
    )
  })
})
