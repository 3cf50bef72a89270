/**
 * The suites that need Kerberos: `npm run test:kerberos [-- SUITE ...]`, such as `-- test/kerberos/kdc`. Needs Java, Maven, curl, and a KDC:
 * MIT's programs on the path, or Debian's packages, which it unpacks into ~/.cache/real-hbase.
 *
 * Suites of test/kerberos/other-clusters each start a cluster of another kind, and run only where an argument names them.
 *
 * TIDEGATE_THRIFT_PROTECTION=integrity, or privacy, is the protection of HBase's Thrift servers; default: authentication.
 *
 * Starts a KDC, a real HBase that takes logins of Kerberos only where a chosen suite calls runningHBase, and runs test/kerberos. It fails where a
 * part is missing. With `-- --serve` it starts both, prints the variables for suites that run by themselves, and serves until it is interrupted.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/package-root.ts'
import { PROTECTIONS } from '../src/wire/sasl/sasl.ts'
import { Kdc } from '../test/harness/kerberos/kdc.ts'
import { PARTS_VARIABLE, type RunningParts } from '../test/harness/kerberos/running-parts.ts'
import { startSecuredHBase } from '../test/harness/kerberos/secured-hbase.ts'
import { own } from '../test/harness/processes/owned-children.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'

const ROOT = fileURLToPath(packageRoot())
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
const SUITES = 'test/kerberos'
/** Clusters of their own take long to start. */
const OTHER_CLUSTERS = `${SUITES}/other-clusters/`

/** Paths of the suites, from the root, that vitest chooses by the arguments. */
function chosenSuites(wanted: readonly string[]): string[] {
  const all = readdirSync(join(ROOT, SUITES), { recursive: true, encoding: 'utf8' })
  return all
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${SUITES}/${name}`)
    .filter((path) =>
      wanted.length === 0 ? !path.startsWith(OTHER_CLUSTERS) : wanted.some((part) => path.includes(part)),
    )
}

function thriftQop(): 'auth' | 'auth-int' | 'auth-conf' {
  const qops = { authentication: 'auth', integrity: 'auth-int', privacy: 'auth-conf' } as const
  const protection = process.env['TIDEGATE_THRIFT_PROTECTION'] ?? 'authentication'
  const found = PROTECTIONS.find((each) => each === protection)
  if (found === undefined)
    throw new Error(`TIDEGATE_THRIFT_PROTECTION=${protection}: it is one of ${PROTECTIONS.join(', ')}`)
  return qops[found]
}

function needsHBase(suite: string): boolean {
  return readFileSync(join(ROOT, suite), 'utf8').includes('runningHBase')
}

async function runVitest(suites: readonly string[], partsFile: string): Promise<number> {
  const names = suites.map((path) => path.slice(0, -'.ts'.length))
  // Two clusters at a time would take the memory of a small machine.
  const inTurn = suites.some((path) => path.startsWith(OTHER_CLUSTERS)) ? ['--no-file-parallelism'] : []
  const args = [VITEST, 'run', '--project', 'kerberos', ...inTurn, ...names]
  const env = { ...process.env, [PARTS_VARIABLE]: partsFile }
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env })
  own(child)
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

/** Prints the variables by which `npx vitest run --project kerberos` finds the parts. Resolves with SIGINT. */
async function serve(partsFile: string, kdc: Kdc): Promise<number> {
  const variables = { [PARTS_VARIABLE]: partsFile, KRB5_CONFIG: kdc.configuration }
  for (const [name, value] of Object.entries(variables)) process.stdout.write(`export ${name}=${value}\n`)
  process.stdout.write(`${readFileSync(partsFile, 'utf8')}\n`)
  await once(process, 'SIGINT')
  return 0
}

async function main(): Promise<number> {
  const isServing = process.argv.includes('--serve')
  const wanted = process.argv.slice(2).filter((argument) => argument !== '--serve')
  const suites = chosenSuites(wanted)
  if (suites.length === 0) throw new Error(`no suite of ${SUITES} has a name with ${wanted.join(' or ')}`)
  const kdc = await Kdc.start({ otherRealm: true })
  try {
    const withHBase = isServing || suites.some(needsHBase)
    const missing = withHBase ? missingTools() : []
    if (missing.length > 0) throw new Error(`this machine has no ${missing.join(' and no ')}`)
    const hbase = withHBase ? await startSecuredHBase(kdc, { aes: true, thriftQop: thriftQop() }) : undefined
    try {
      const parts: RunningParts = {
        kdc: kdc.description,
        ...(hbase !== undefined && { hbase: hbase.ports }),
      }
      const file = join(kdc.folder, 'parts.json')
      writeFileSync(file, JSON.stringify(parts))
      return isServing ? await serve(file, kdc) : await runVitest(suites, file)
    } finally {
      await hbase?.stop()
    }
  } finally {
    await kdc.close()
  }
}

process.exitCode = await main()
