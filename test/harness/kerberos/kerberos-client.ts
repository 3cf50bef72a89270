/** HBase's own Java client with Kerberos, as a program whose steps are lines: test/clients/java-kerberos/KerberosClient.java. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../../src/package-root.ts'
import { runJava, writeClientSettings } from '../client-transcripts/java-program.ts'
import { resolveJars } from '../real-hbase/jars.ts'
import { kerberosJavaOptions } from './java-options.ts'
import type { KerberosRealm } from './kerberos-realm.ts'

const PROGRAM = fileURLToPath(new URL('test/clients/java-kerberos/KerberosClient.java', packageRoot()))

/** A login by a keytab, by the tickets of a cache, or by a file of delegation tokens. */
export type ClientLogin =
  | { readonly principal: string; readonly keytab: string }
  | { readonly cache: string }
  | { readonly tokens: string }

export interface ClientRun {
  readonly login: ClientLogin
  /** Of hbase-site.xml: securedClientSettings, and others. */
  readonly settings: Readonly<Record<string, string | number>>
  /** As KerberosClient.java lists them. */
  readonly steps: readonly string[]
  /** HBase's release; default: 2.6.1. */
  readonly version?: string
}

/** Answers a line for each step, `ok ...` or `EXCEPTION: ...`. Rejects with the program's log where it fails as a whole. */
export async function runKerberosClient(
  realm: KerberosRealm,
  { login, settings, steps, version }: ClientRun,
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kerberos-client-'))
  try {
    writeClientSettings(folder, settings)
    const credentials = 'keytab' in login ? [login.principal, login.keytab] : []
    const { code, stdout, stderr } = await runJava({
      classPath: [folder, `${resolveJars(version)}/*`],
      args: [...kerberosJavaOptions(realm), PROGRAM, ...credentials],
      cwd: folder,
      environment: { ...realm.environment, ...variablesOf(login, folder) },
      input: `${steps.join('\n')}\n`,
    })
    const answers = stdout.trimEnd().split('\n')
    if (code !== 0 || answers.length !== steps.length)
      throw new Error(`the Java client ended with ${code}:\n${stdout}\n${stderr.slice(-3000)}`)
    return answers
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function variablesOf(login: ClientLogin, folder: string): Readonly<Record<string, string>> {
  if ('cache' in login) return { KRB5CCNAME: login.cache }
  // A task of a job has no tickets.
  return 'tokens' in login
    ? { KRB5CCNAME: join(folder, 'no-tickets'), HADOOP_TOKEN_FILE_LOCATION: login.tokens }
    : {}
}
