import { once } from 'node:events'
import { DISPLAY } from './command-progress.ts'

/** Bytes of lines that are gathered before they are written. */
const BATCH_CHARACTERS = 1 << 16

/** Prints lines to stdout, no faster than its reader takes them, and stops where the reader goes, as `head` does. */
export async function printLines(lines: Iterable<string>): Promise<void> {
  const { stdout } = process
  let isOver = false
  const end = (): void => void (isOver = true)
  stdout.once('error', end)
  let batch = ''
  const write = async (): Promise<void> => {
    if (!isOver && !stdout.write(batch))
      await Promise.race([once(stdout, 'drain'), once(stdout, 'close')]).catch(end)
    batch = ''
  }
  for (const line of lines) {
    batch += `${line}\n`
    if (batch.length >= BATCH_CHARACTERS) await write()
    if (isOver) return
  }
  if (batch !== '') await write()
}

export function printLine(line: string): void {
  DISPLAY.clear()
  process.stdout.write(`${line}\n`)
}

/** To stderr: stdout has the answer of the command alone. */
export function printProgress(line: string): void {
  DISPLAY.print(line)
}
