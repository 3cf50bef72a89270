/** The files that the suite reads: in a checkout from its folders, in the published package from beside the code. */

import { existsSync, readFileSync } from 'node:fs'
import { packageRoot } from '../../../src/package-root.ts'

const ROOT = packageRoot()
const isCheckout = existsSync(new URL('conformance/package.json', ROOT))

/** A recording, or one of the lists of cases. `path`: from the folder of the package `tidegate-conformance`. */
export function dataFile(path: string): URL {
  return new URL(isCheckout ? `conformance/${path}` : path, ROOT)
}

/** The description of a Thrift service: `thrift2.thrift`. */
export function idlFile(name: string): URL {
  return new URL(isCheckout ? `idl/${name}` : `dist/idl/${name}`, ROOT)
}

/** The version of the suite, which is that of the server whose differences its ledger lists. */
export function suiteVersion(): string {
  const text = readFileSync(dataFile('package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
