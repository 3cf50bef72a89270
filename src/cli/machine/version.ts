import { readFileSync } from 'node:fs'
import { packageRoot } from '../../package-root.ts'

let version: string | undefined

/** Read once: an upgrade may remove the files of a server that runs, which still logs its stop with the version that it is. */
export function packageVersion(): string {
  version ??= (
    JSON.parse(readFileSync(new URL('package.json', packageRoot()), 'utf8')) as { version: string }
  ).version
  return version
}
