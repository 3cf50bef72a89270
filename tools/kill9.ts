/**
 * `npm run kill9 -- [--kills 200] [--life-ms 600] [--signal SIGKILL|SIGTERM] [--folder DIR] [--threads N]`: kill -9 under writers at every door, again
 * and again on one folder. Ends with code 1 where anything that was acknowledged is gone, a row is torn, or a file was set aside
 * in lost+found. Without --folder it works in a temporary one, which it removes. With --threads the server has so many (by the Node below
 * tools/newest-node, where this one cannot), and clients read all the while: a read has what was acknowledged before it, by any connection.
 */

import { parseArgs } from 'node:util'
import { counted } from '../src/model/counted.ts'
import { killRepeatedly } from '../test/harness/kill/kill-loop.ts'
import { statedThreads } from '../test/harness/server-node.ts'
import { inTemporaryFolder } from '../test/harness/tidegate-process.ts'
import { wholeNumber } from './whole-number.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    'life-ms': { type: 'string' },
    folder: { type: 'string' },
    signal: { type: 'string' },
    threads: { type: 'string' },
  },
})

async function run(folder: string): Promise<void> {
  const result = await killRepeatedly({
    folder,
    kills: wholeNumber('kills', values.kills) ?? 200,
    lifeMsMax: wholeNumber('life-ms', values['life-ms']) ?? 600,
    signal: values.signal === 'SIGTERM' ? 'SIGTERM' : 'SIGKILL',
    threads: wholeNumber('threads', values.threads) ?? statedThreads(),
    say: (line) => process.stdout.write(`${line}\n`),
  })
  const { kills, acknowledged, rowsRead, names, setAside, startMsMax } = result
  process.stdout.write(
    `${counted(kills, 'kill')}: all acknowledged changes are there (${JSON.stringify(acknowledged)}); ${counted(rowsRead, 'row')} read beside the writers; the longest start took ${startMsMax} ms; the folder has ${names.join(' ')}\n`,
  )
  for (const name of setAside) process.stdout.write(`set aside without a reason: lost+found/${name}\n`)
  if (setAside.length > 0) process.exitCode = 1
}

try {
  if (values.folder === undefined) await inTemporaryFolder(run)
  else await run(values.folder)
} catch (error) {
  process.stdout.write(`${String(error)}\n`)
  process.exitCode = 1
}
