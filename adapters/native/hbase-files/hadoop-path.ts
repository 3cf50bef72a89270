import { HBaseError } from '../../../src/model/errors.ts'

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/

/** The file of this machine that a path of Hadoop's names: absolute, or with `file:`. Throws IO for one of another file system. */
export function localPath(path: string): string {
  const scheme = SCHEME.exec(path)?.[1]
  if (scheme !== undefined && scheme.toLowerCase() !== 'file')
    throw new HBaseError(
      'IO',
      `${path} is on a file system that this server does not have: it reads file: only`,
    )
  const rest = scheme === undefined ? path : path.slice(scheme.length + 1)
  const local = rest.startsWith('//') ? rest.slice(2) : rest
  if (!local.startsWith('/')) throw new HBaseError('IO', `${path} is not an absolute path of this machine`)
  return local
}
