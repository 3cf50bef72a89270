/**
 * Questions about visibility labels, asked of a real HBase with its VisibilityController: `npm run visibility-cases [-- --record]`. Needs
 * Java and Maven. Without --record it compares the answers with what is recorded. `npm test` asks Tidegate on its stores the same.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { packageRoot } from '../src/package-root.ts'
import { type Answers, askQuestions } from '../test/harness/labels/ask-questions.ts'
import { GROUP, MEMBER, SUPERUSER } from '../test/harness/labels/people.ts'
import { QUESTIONS } from '../test/harness/labels/questions.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'
import { RealHBase } from '../test/harness/real-hbase/real-hbase.ts'
import { openRpcStore } from '../test/harness/rpc-store.ts'

const RECORDED = fileURLToPath(new URL('test/gateway/policies/labels/recorded-answers.json', packageRoot()))
const CONTROLLER = 'org.apache.hadoop.hbase.security.visibility.VisibilityController'
const CLIENT = { retriesMax: 0, pauseMs: 10 }

async function askReal(): Promise<Answers> {
  const settings = {
    'hbase.security.authorization': 'true',
    'hbase.superuser': SUPERUSER,
    'hadoop.user.group.static.mapping.overrides': `${MEMBER}=${GROUP}`,
    'hbase.security.visibility.mutations.checkauths': 'true',
    'hbase.coprocessor.master.classes': CONTROLLER,
    'hbase.coprocessor.region.classes': CONTROLLER,
  }
  const hbase = await RealHBase.start({ gateways: false, settings })
  try {
    return await askQuestions((user) => openRpcStore(hbase.ports.regionServer, CLIENT, user), QUESTIONS)
  } finally {
    await hbase.stop()
  }
}

const { record, port } = new Command('visibility-cases')
  .option('--record')
  .option(
    '--port <port>',
    'of the region server of an HBase that runs already, with labels and no table of the questions',
  )
  .parse()
  .opts<{ record?: true; port?: string }>()
const missing = missingTools()
if (missing.length > 0) {
  process.stdout.write(`no HBase to ask: this machine has no ${missing.join(' and no ')}\n`)
} else {
  const found =
    port === undefined
      ? await askReal()
      : await askQuestions((user) => openRpcStore(Number(port), CLIENT, user), QUESTIONS)
  if (record === true) writeFileSync(RECORDED, `${JSON.stringify(found, undefined, 1)}\n`)
  else {
    const recorded = JSON.parse(readFileSync(RECORDED, 'utf8')) as Answers
    const surprises = Object.entries(found).filter(([name, answer]) => recorded[name] !== answer)
    const lines = surprises.map(([name, answer]) => `${name}: ${answer}, not ${recorded[name]}`)
    process.stdout.write(`${[...lines, `${surprises.length} answers differ`].join('\n')}\n`)
    process.exitCode = surprises.length === 0 ? 0 : 1
  }
}
