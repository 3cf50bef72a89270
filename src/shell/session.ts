/** One session of the shell: runs the lines that a user types, and prints answers and failures as HBase's shell does. */

import type { CommandContext, ShellCommand } from './context/command.ts'
import { Evaluator } from './evaluate.ts'
import type { Output } from './output/formatter.ts'
import {
  BeyondReach,
  ExitRequest,
  errorText,
  NoSuchName,
  notOver,
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
}

/** A failure that ends a session that is not forgiving. */
export class FatalFailure extends Error {
  override readonly name = 'FatalFailure'
}

/** Commands of the session itself, which take no time. */
const UNTIMED = new Set(['help', 'exit', 'quit', 'tools', 'sleep'])

export class Session {
  readonly evaluator: Evaluator
  readonly #config: SessionConfig

  constructor(config: SessionConfig) {
    this.#config = config
    this.evaluator = new Evaluator(config.commands, (command, args) => this.#run(command, args))
  }

  /** Runs the text, whose first line is the input's line `line`. Throws UnfinishedInput, ExitRequest, FatalFailure. */
  async run(text: string, line: number): Promise<void> {
    try {
      const statements = parseStatements(text)
      let last: Value = null
      for (const statement of statements) last = await this.evaluator.statement(statement)
      if (last !== null) this.#print(`=> ${inspect(last)}\n`)
    } catch (error) {
      this.#fail(error, text, line)
    }
  }

  async #run(command: ShellCommand, args: readonly Value[]): Promise<Value> {
    const { context, now, isForgiving } = this.#config
    if (UNTIMED.has(command.name)) return (await this.#checked(command, args)) ?? null
    const begun = now()
    try {
      return (await this.#checked(command, args)) ?? null
    } catch (error) {
      if (!isForgiving || isOfRuby(error)) throw new CommandFailure(error, args)
      context.out.line(`\nERROR: ${errorText(error, args)}\n\nFor usage try 'help "${command.name}"'\n`)
      return null
    } finally {
      context.out.took(Math.max(0, now() - begun) / 1000)
    }
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
      return this.#print(`Traceback (most recent call last):\n${rubyText}\n`)
    const args = error instanceof CommandFailure ? error.args : []
    throw new FatalFailure(rubyText ?? `RuntimeError: ${errorText(cause, args)}`)
  }

  /** The text of a failure of the language; undefined for other failures. */
  #rubyText(error: unknown, text: string, line: number): string | undefined {
    if (error instanceof NoSuchName) return `${error.rubyClass} (${error.message})`
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

class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
  override readonly cause: unknown
  readonly args: readonly Value[]

  constructor(cause: unknown, args: readonly Value[]) {
    super('a command has failed')
    this.cause = cause
    this.args = args
  }
}
