/**
 * Opens plain files and nothing else. A pipe would block the whole process until another process writes to it, and a device or a folder
 * fails later in words that name neither the path nor the remedy.
 */

import fs from 'node:fs'

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR } = fs.constants
/** Without it, the opening of a pipe waits for its other end. Windows has no such flag. */
const O_NONBLOCK: number = fs.constants.O_NONBLOCK ?? 0

const FLAGS: Readonly<Record<'read' | 'append' | 'create', number>> = {
  read: O_RDONLY | O_NONBLOCK,
  append: O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK,
  create: O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NONBLOCK,
}

export function openPlainFile(path: string, mode: keyof typeof FLAGS): number {
  let descriptor: number
  try {
    descriptor = fs.openSync(path, FLAGS[mode])
  } catch (error) {
    // A socket cannot be opened at all, nor a folder for writing.
    const facts = fs.statSync(path, { throwIfNoEntry: false })
    throw facts === undefined || facts.isFile() ? error : notPlain(path, facts)
  }
  const facts = fs.fstatSync(descriptor)
  if (facts.isFile()) return descriptor
  fs.closeSync(descriptor)
  throw notPlain(path, facts)
}

function notPlain(path: string, facts: fs.Stats): Error {
  const code = facts.isDirectory() ? 'EISDIR' : 'EFTYPE'
  return Object.assign(new Error(`${path} is ${kindOf(facts)}, not a file: move it away`), { code, path })
}

function kindOf(facts: fs.Stats): string {
  if (facts.isDirectory()) return 'a folder'
  if (facts.isFIFO()) return 'a pipe'
  return facts.isSocket() ? 'a socket' : 'a device'
}
