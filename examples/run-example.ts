/** `npm run example -- NAME`: each example with its options. */

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { messageOf } from '../src/model/message-of.ts'
import { advertising } from './advertising/advertising.ts'
import { PATTERNS } from './advertising/patterns.ts'
import { opentsdb, PARTS as TSDB_PARTS } from './opentsdb/opentsdb.ts'
import { type ExampleServer, runningServer, startServer } from './shared/example-server.ts'
import { Report, type Say } from './shared/report.ts'
import { PARTS as TIMESHIFT_PARTS, timeshift } from './timeshift/timeshift.ts'

interface ServerOptions {
  readonly host?: string
  readonly rest: number
  readonly thrift: number
  readonly thrift2?: number
  readonly rpc: number
  readonly zookeeper: number
  readonly web: number
  readonly replace: boolean
}

type Run = (server: ExampleServer, report: Report) => Promise<void>

/** Returns the exit code: 0 where every check of the example has passed. */
export async function runExample(args: readonly string[], say: Say): Promise<number> {
  let code = 1
  const onServer = async (options: ServerOptions, run: Run): Promise<void> => {
    const report = new Report(say)
    const { host } = options
    const server = host === undefined ? await startServer() : runningServer(host, options)
    try {
      await run(server, report)
    } finally {
      await server.stop()
    }
    code = report.end()
  }
  const program = new Command('example')
    .description('Worked examples: what people build on HBase.')
    .exitOverride()
  addAdvertising(program, onServer)
  addTimeshift(program, onServer)
  addOpentsdb(program, onServer)
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode
    say(`error: ${messageOf(error)}`)
    return 1
  }
  return code
}

type OnServer = (options: ServerOptions, run: Run) => Promise<void>

function addAdvertising(program: Command, onServer: OnServer): void {
  exampleCommand(program, 'advertising', Object.keys(PATTERNS))
    .description('a hierarchy of advertisers, campaigns, groups and ads, and what is asked of it')
    .option('--ads <n>', 'how many ads', wholeNumber, 100_000)
    .option('--regions <n>', 'regions of the table of ads', wholeNumber, 1)
    .action((patterns: string[], options: ServerOptions & { ads: number; regions: number }) =>
      onServer(options, (server, report) => advertising(server, patterns, options, report)),
    )
}

function addTimeshift(program: Command, onServer: OnServer): void {
  exampleCommand(program, 'timeshift', Object.keys(TIMESHIFT_PARTS))
    .description('series and what describes them in one row, a time apart')
    .action((parts: string[], options: ServerOptions) =>
      onServer(options, (server, report) => timeshift(server, parts, options.replace, report)),
    )
}

function addOpentsdb(program: Command, onServer: OnServer): void {
  exampleCommand(program, 'opentsdb', Object.keys(TSDB_PARTS))
    .description('a time-series database: its rows over REST, and OpenTSDB itself on them')
    .option('--every <seconds>', 'time between two points of a series', wholeNumber, 300)
    .option('--svg <file>', 'where the picture goes', '.cache/opentsdb.svg')
    .action((parts: string[], options: ServerOptions & { every: number; svg: string }) =>
      onServer(options, (server, report) => opentsdb(server, parts, options, report)),
    )
}

/** `parts`: names of what the example is made of, of which some can be asked for. */
function exampleCommand(program: Command, name: string, parts: readonly string[]): Command {
  const ports = { rest: 8080, thrift: 9090, rpc: 16020, zookeeper: 2181, web: 16010 }
  const command = program
    .command(name)
    .argument('[parts...]', `some of ${parts.join(', ')}; all if none is named`)
    .hook('preAction', ({ args }) => {
      const unknown = args.find((part) => !parts.includes(part))
      if (unknown !== undefined) command.error(`error: ${name} has no ${unknown}, but ${parts.join(', ')}`)
    })
    .option('--host <host>', 'a server that runs already; its doors listen where --rest and so on say')
  for (const [door, port] of Object.entries(ports)) {
    command.addOption(new Option(`--${door} <port>`).argParser(wholeNumber).default(port))
  }
  command.option('--thrift2 <port>', 'where another one than that of Thrift 1', wholeNumber)
  return command.option('--replace', 'drop tables of the example that are there already', false)
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is no whole number above 0.')
  return Number(text)
}
