/**
 * Native clients that are not Java's, unchanged, on Tidegate or a real HBase: `npm run test:native-clients [-- --target
 * tidegate|real] [-- --record]`. npm's hbase-rpc-client 0.1.15 and PyPI's hbase-driver 1.1.1, which name no codec for cells; needs
 * Python. What they said on a real HBase is in test/clients/native-clients/recorded.txt.
 */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { familyDescriptor, tableDescriptor } from '../src/model/descriptor.ts'
import { parseTableName } from '../src/model/table-name.ts'
import { OWN_CALL } from '../src/store/call.ts'
import { missingPython, nativePackages } from '../test/harness/client-transcripts/native-packages.ts'
import {
  recordedAnswers,
  runTranscript,
  sourcesOf,
  type TranscriptServer,
} from '../test/harness/client-transcripts/transcript-tool.ts'

const NAME = 'native-clients'
const TABLE = 'hbase_rpc_client'
const TIMEOUT_MS = 180_000
const execute = promisify(execFile)

async function answersOf(
  program: string,
  command: string,
  args: readonly string[],
): Promise<[string, string][]> {
  const { stdout } = await execute(command, args, { timeout: TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024 })
  return [...recordedAnswers(stdout)].map(([step, answer]) => [`${program}: ${step}`, answer])
}

async function run({ zookeeper, store }: TranscriptServer): Promise<Map<string, string>> {
  const sources = sourcesOf(NAME)
  const { modules, python } = nativePackages(`${NAME}-1`, sources)
  const families = [familyDescriptor('f', [['VERSIONS', '3']]), familyDescriptor('g')]
  await store.catalog.createTable(
    tableDescriptor(parseTableName(TABLE), families),
    [Buffer.from('row2')],
    OWN_CALL,
  )
  const address = `127.0.0.1:${zookeeper}`
  const ofNpm = [join(sources, 'hbase-rpc-client.cjs'), modules, address, TABLE]
  return new Map([
    ...(await answersOf('hbase-rpc-client', process.execPath, ofNpm)),
    ...(await answersOf('hbase-driver', python, [join(sources, 'hbase_driver.py'), address])),
  ])
}

await runTranscript({ name: NAME, run, missing: missingPython })
