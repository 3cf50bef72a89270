/** One session of the shell: runs the lines that a user types, and prints answers and failures as HBase's shell does. */

import type { CommandContext, ShellCommand } from './context/command.ts'
import { Evaluator } from './evaluate.ts'
import { usageOf } from './help/command-help.ts'
import type { Output } from './output/formatter.ts'
import {
  BeyondReach,
  ExitRequest,
  errorText,
  Interrupted,
  NoSuchName,
  notOver,
  ShellError,
  wrongArguments,
} from './output/shell-error.ts'
import { parseStatements } from './ruby/parse-statements.ts'
import { RubyRefusal, RubySyntaxError } from './ruby/syntax.ts'
import { inspect, type Value } from './ruby/values.ts'

export interface SessionConfig {
  readonly context: CommandContext
  readonly output: Output
  readonly commands: ReadonlyMap<string, ShellCommand>
  /** The time in milliseconds, from any origin. */
  readonly now: () => number
  /** True: failures are printed and the session goes on. False: the first failure is thrown. */
  readonly isForgiving: boolean
  /** True: Ctrl-C ends the session, not only the command, as that of a script. */
  readonly endsAtInterrupt?: boolean | undefined
}

/** As a process that a signal has ended. */
const EXIT_INTERRUPTED = 130

/** A failure that ends a session that is not forgiving. */
export class FatalFailure extends Error {
  override readonly name = 'FatalFailure'
}

/** Commands of the session itself, which take no time. */
const UNTIMED = new Set(['help', 'exit', 'quit', 'tools', 'sleep'])

export class Session {
  readonly evaluator: Evaluator
  readonly #config: SessionConfig
  #isRunning = false

  constructor(config: SessionConfig) {
    this.#config = config
    this.evaluator = new Evaluator(config.commands, (command, args) => this.#run(command, args))
  }

  /** True while a command runs. */
  get isRunning(): boolean {
    return this.#isRunning
  }

  /** Runs the text, whose first line is the input's line `line`. Throws UnfinishedInput, ExitRequest, FatalFailure. */
  async run(text: string, line: number): Promise<void> {
    this.#isRunning = true
    try {
      const statements = parseStatements(text)
      let last: Value = null
      for (const statement of statements) last = await this.evaluator.statement(statement)
      if (last !== null) this.#answer(last)
    } catch (error) {
      this.#fail(error, text, line)
    } finally {
      this.#isRunning = false
    }
  }

  #answer(value: Value): void {
    const { out } = this.#config.context
    if (out.data === undefined) this.#print(`=> ${inspect(value)}\n`)
    // Lists and numbers of commands are records already.
    else if (typeof value === 'boolean') out.record({ value })
  }

  async #run(command: ShellCommand, args: readonly Value[]): Promise<Value> {
    const { context, now, isForgiving } = this.#config
    const { signal } = context.call
    if (UNTIMED.has(command.name))
      return this.#checked(command, args).then(
        (value) => value ?? null,
        (error: unknown) => {
          if (signal?.aborted === true) return this.#interrupted(error)
          throw error
        },
      )
    const begun = now()
    try {
      return (await this.#checked(command, args)) ?? null
    } catch (error) {
      if (error instanceof Interrupted || signal?.aborted === true) return this.#interrupted(error)
      if (!isForgiving || isOfRuby(error)) throw new CommandFailure(error, args, command.name)
      const usage = usageText(error, command.name)
      context.out.line(
        `\nERROR: ${errorText(error, args)}${usage}\n\nFor usage try 'help "${command.name}"'\n`,
      )
      return null
    } finally {
      context.out.took(Math.max(0, now() - begun) / 1000)
    }
  }

  /** The command that Ctrl-C has ended. */
  #interrupted(error: unknown): null {
    const { context, endsAtInterrupt } = this.#config
    const text = error instanceof Interrupted ? error.message : 'interrupted'
    if (context.out.data === undefined) context.out.line(text)
    else context.warn(text)
    if (endsAtInterrupt === true) throw new ExitRequest(EXIT_INTERRUPTED)
    return null
  }

  async #checked(command: ShellCommand, args: readonly Value[]): Promise<Value | void> {
    const { min, max } = command
    if (args.length < min || (max !== undefined && args.length > max))
      throw wrongArguments(args.length, min, max)
    const { context } = this.#config
    try {
      return await command.run(context, args)
    } catch (error) {
      const { reach } = context.store
      throw error instanceof BeyondReach && reach !== undefined
        ? notOver(reach.protocol, command.name)
        : error
    }
  }

  #fail(error: unknown, text: string, line: number): void {
    const cause = error instanceof CommandFailure ? error.cause : error
    if (cause instanceof ExitRequest || (cause instanceof Error && cause.name === 'UnfinishedInput'))
      throw cause
    const rubyText = this.#rubyText(cause, text, line)
    if (rubyText === undefined && !(error instanceof CommandFailure)) {
      // The session's own commands, such as sleep.
      if (this.#config.isForgiving) return this.#print(`ERROR: ${errorText(cause, [])}\n`)
    }
    if (this.#config.isForgiving && rubyText !== undefined)
      return this.#print(
        cause instanceof NoSuchName
          ? `ERROR: ${rubyText}\n`
          : `Traceback (most recent call last):\n${rubyText}\n`,
      )
    const args = error instanceof CommandFailure ? error.args : []
    const usage = error instanceof CommandFailure ? usageText(cause, error.command) : ''
    throw new FatalFailure(rubyText ?? `RuntimeError: ${errorText(cause, args)}${usage}`)
  }

  /** The text of a failure of the language; undefined for other failures. */
  #rubyText(error: unknown, text: string, line: number): string | undefined {
    if (error instanceof NoSuchName) return error.message
    if (error instanceof RubySyntaxError) {
      const at = line + error.line - 1
      return `SyntaxError ((hbase):${at}: ${error.message})\n${text.split('\n')[error.line - 1] ?? ''}`
    }
    if (error instanceof RubyRefusal)
      return `NotImplementedError (${error.message.replace(/^line \d+/, `line ${line + error.line - 1}`)})`
    return undefined
  }

  #print(text: string): void {
    this.#config.output.write(text)
  }
}

function isOfRuby(error: unknown): boolean {
  return error instanceof ExitRequest || error instanceof NoSuchName || error instanceof RubyRefusal
}

/** The line with an example, for arguments that are wrong: the servers' own refusals need none. */
function usageText(error: unknown, command: string): string {
  if (!(error instanceof ShellError) || error.name !== 'ShellError') return ''
  const usage = usageOf(command, error.message)
  return usage === undefined ? '' : `\nUsage: ${usage}`
}

class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  override readonly cause: unknown
  readonly args: readonly Value[]
  readonly command: string

  constructor(cause: unknown, args: readonly Value[], command: string) {
    super('a command has failed')
    this.cause = cause
    this.args = args
    this.command = command
  }
}
