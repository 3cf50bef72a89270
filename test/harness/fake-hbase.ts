/**
 * A program for the test of real-hbase.ts: starts an "HBase" whose `java` is whatever the path has, prints `up`, and holds it
 * until a signal comes.
 */

import { RealHBase } from './real-hbase/real-hbase.ts'

await RealHBase.start({ gateways: false })
process.stdout.write('up\n')
if (process.argv[2] === 'throw') throw new Error('as told')
setInterval(() => undefined, 60_000)
