/** `tidegate check`. */

import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Finding } from '../../../adapters/native/inspect/finding.ts'
import type { FolderCheck, FolderCheckParts } from '../../../adapters/native/inspect/folder-check.ts'
import { counted } from '../../model/counted.ts'
import { manyATurn } from '../../model/many-a-turn.ts'
import { parseRate } from '../flags/byte-size.ts'
import { usableCores } from '../machine/usable-cores.ts'
import { DIRECTORY, folderWithOwner } from '../stores/stopped-folder.ts'
import { beginProgress, type ProgressFlags, quietOption, withProgress } from '../terminal/command-progress.ts'
import { printLine, printProgress } from '../terminal/print-lines.ts'
import type { Step } from '../terminal/progress-text.ts'
import { EXIT_FINE, runTool } from '../terminal/tool-run.ts'

const EXIT_DAMAGE = 1
/** While a server has the folder, it needs the disk and the cores as well. */
const SERVED_BYTES_PER_SECOND = 100 * 1024 * 1024

interface CheckFlags extends ProgressFlags {
  readonly limit?: number
}

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .description(
      "check every byte of a store's folder: checksums, order, indexes, references; changes nothing",
    )
    .argument('<directory>', DIRECTORY)
    .option(
      '--limit <bytes>',
      'bytes a second at most, as 50m (default: 100m while a server has the folder, else none)',
      parseRate,
    )
    .addOption(quietOption())
    .option('--json', 'print one JSON object a finding, and one with the sums')
    .addHelpText(
      'after',
      '\nA server may run on the folder: it reports damage that is found, in its log and on /health.\nExit codes: 0 where the store is whole (warnings are no damage), 1 for damage, 2 where it cannot be checked.',
    )
    .exitOverride()
    .action((directory: string, flags: CheckFlags) => runTool(() => runCheck(directory, flags)))
}

async function runCheck(directory: string, flags: CheckFlags): Promise<number> {
  const { json = false, limit } = flags
  const { NODE_FILE_SYSTEM: fileSystem } = await import(
    '../../../adapters/native/platform/node-file-system.ts'
  )
  const { folder, owner } = await folderWithOwner(directory)
  const isServed = owner !== undefined
  const errors: Finding[] = []
  const report = (finding: Finding): void => {
    if (finding.severity === 'error') errors.push(finding)
    printLine(json ? JSON.stringify(finding) : findingText(finding))
  }
  beginProgress('check', flags, () => 'Nothing was changed: the same command checks anew')
  let [done, total] = [0, 0]
  const worked = (now: number, all: number): void => void ([done, total] = [now, all])
  const parts = { fileSystem, directory: folder, report, worked, isServed }
  const bytesPerSecond = limit ?? (isServed ? SERVED_BYTES_PER_SECOND : Number.POSITIVE_INFINITY)
  const sums = await withProgress(
    () => checkStep(done, total, errors.length),
    () => checked(parts, bytesPerSecond),
  )
  if (sums === undefined) throw new Error(`${directory} has no store`)
  if (isServed && errors.length > 0) await leaveForServer(folder, errors)
  const { storeFiles, logs, records, bytes, errors: count, warnings } = sums
  printLine(
    json
      ? JSON.stringify({ kind: 'sums', ...sums })
      : `checked ${counted(storeFiles, 'store file')} and ${counted(logs, 'log')} with ${counted(records, 'record')}, ${counted(bytes, 'byte')}: ${counted(count, 'error')}, ${counted(warnings, 'warning')}`,
  )
  return count > 0 ? EXIT_DAMAGE : EXIT_FINE
}

function checkStep(done: number, total: number, errors: number): Step {
  return {
    task: 'checked',
    amounts: [
      { unit: 'bytes', done, total },
      { unit: 'errors', done: errors },
    ],
  }
}

/** Store files by threads, one for each core; a server that has the folder keeps all cores but one. */
async function checked(parts: FolderCheckParts, bytesPerSecond: number): Promise<FolderCheck | undefined> {
  const { beginCheck, CheckUnderWay } = await import('../../../adapters/native/inspect/folder-check.ts')
  const checking = beginCheck(parts)
  if (!(checking instanceof CheckUnderWay)) return checking
  const { checkInThreads } = await import('../../../adapters/native/inspect/check-threads.ts')
  const threads = parts.isServed === true ? 1 : Math.max(1, Math.floor(usableCores()))
  const { files, onBytes } = checking
  await checkInThreads(files, { threads, bytesPerSecond, onBytes }, (findings) => checking.add(findings))
  return manyATurn(checking.end())
}

async function leaveForServer(folder: string, errors: readonly Finding[]): Promise<void> {
  const { encodeFoundDamage, foundDamagePath } = await import(
    '../../../adapters/native/layout/found-damage.ts'
  )
  const found = errors.map(({ path, offset, message }) => {
    return { path: path.slice(folder.length + 1), offset, message }
  })
  try {
    await writeFile(foundDamagePath(folder), encodeFoundDamage(found))
  } catch (error) {
    printProgress(`warning: the server does not hear of it: ${String(error)}`)
  }
}

function findingText({ severity, path, offset, message, advice, table, region, snapshot }: Finding): string {
  const place = offset === undefined ? path : `${path} at byte ${offset}`
  const of = snapshot === undefined ? '' : `snapshot ${snapshot} of `
  const owner = table === undefined ? '' : ` (${of}table ${table}, region ${region})`
  return `${severity.toUpperCase()} ${place}${owner}: ${message}\n  what to do: ${advice}`
}
