/** The KDC and the secured HBase that `npm run test:kerberos` runs for its suites. */

import { readFileSync } from 'node:fs'
import type { RealHBasePorts } from '../real-hbase/free-ports.ts'
import { KerberosRealm, type RealmDescription } from './kerberos-realm.ts'

/** Variable with the path of a file of JSON: RunningParts. */
export const PARTS_VARIABLE = 'TIDEGATE_KDC'

export interface RunningParts {
  readonly kdc: RealmDescription
  /** Ports of the secured HBase, whose files of keys are in the KDC's folder; absent where no chosen suite asks for it. */
  readonly hbase?: RealHBasePorts
}

export interface RunningHBase {
  readonly realm: KerberosRealm
  readonly ports: RealHBasePorts
}

function runningParts(): RunningParts {
  const path = process.env[PARTS_VARIABLE]
  if (path === undefined) throw new Error('this suite needs a KDC: run npm run test:kerberos')
  return JSON.parse(readFileSync(path, 'utf8')) as RunningParts
}

/** The KDC, shared with other suites: principals need names of the suite's own. Throws without `npm run test:kerberos`. */
export function runningRealm(): KerberosRealm {
  return new KerberosRealm(runningParts().kdc)
}

/** A suite that calls this has the secured HBase started for it. Tables need names of the suite's own. */
export function runningHBase(): RunningHBase {
  const { kdc, hbase } = runningParts()
  if (hbase === undefined) throw new Error('npm run test:kerberos has started no HBase')
  return { realm: new KerberosRealm(kdc), ports: hbase }
}
