/** Runs statements: variables, constants of HBase, commands, and commands as methods of a table's reference. */

import { CONSTANTS } from './constants.ts'
import type { ShellCommand } from './context/command.ts'
import { NoSuchName } from './output/shell-error.ts'
import { type TableReference, tableReference } from './ruby/shell-objects.ts'
import { type Expression, RubyRefusal, type Statement } from './ruby/syntax.ts'
import { inspect, isShellObject, RubyHash, rubyString, textOf, type Value } from './ruby/values.ts'

/** Runs a command. */
export type RunCommand = (command: ShellCommand, args: readonly Value[]) => Promise<Value>

/** Methods of a reference that are commands with the table before the other arguments. */
const ADMIN_METHODS = new Set(['enable', 'disable', 'flush', 'drop', 'describe', 'snapshot'])

export class Evaluator {
  readonly variables: Map<string, Value> = new Map<string, Value>()
  readonly #commands: ReadonlyMap<string, ShellCommand>
  readonly #run: RunCommand
  #line = 1

  constructor(commands: ReadonlyMap<string, ShellCommand>, run: RunCommand) {
    this.#commands = commands
    this.#run = run
  }

  async statement({ assigned, expression, line }: Statement): Promise<Value> {
    this.#line = line
    const value = await this.#value(expression)
    if (assigned !== undefined) this.variables.set(assigned, value)
    return value
  }

  async #value(expression: Expression): Promise<Value> {
    switch (expression.kind) {
      case 'literal':
        return expression.value
      case 'array':
        return this.#values(expression.items)
      case 'hash': {
        const hash = new RubyHash()
        for (const [key, value] of expression.entries)
          hash.set(await this.#value(key), await this.#value(value))
        return hash
      }
      case 'constant':
        return this.#constant(expression.name)
      case 'name':
        return this.#named(expression.name)
      case 'call':
        return this.#called(expression.name, await this.#values(expression.args))
      case 'method':
        return this.#method(
          await this.#value(expression.receiver),
          expression.name,
          await this.#values(expression.args),
        )
    }
  }

  async #values(expressions: readonly Expression[]): Promise<Value[]> {
    const values: Value[] = []
    for (const expression of expressions) values.push(await this.#value(expression))
    return values
  }

  #constant(name: string): Value {
    const value = CONSTANTS.get(name)
    if (value === undefined) throw new NoSuchName(name, 'constant', CONSTANTS.keys())
    return rubyString(value)
  }

  async #named(name: string): Promise<Value> {
    const variable = this.variables.get(name)
    if (variable !== undefined) return variable
    const command = this.#commands.get(name)
    if (command === undefined)
      throw new NoSuchName(name, 'command or variable', [...this.#commands.keys(), ...this.variables.keys()])
    return this.#run(command, [])
  }

  #called(name: string, args: readonly Value[]): Promise<Value> {
    const command = this.#commands.get(name)
    if (command === undefined) throw new NoSuchName(name, 'command', this.#commands.keys())
    return this.#run(command, args)
  }

  async #method(receiver: Value, name: string, args: readonly Value[]): Promise<Value> {
    if (isShellObject(receiver) && receiver.kind === 'table')
      return this.#methodOfTable(receiver as TableReference, name, args)
    const answer = args.length === 0 ? answerOf(receiver, name) : undefined
    if (answer === undefined) throw new RubyRefusal(`the method "${name}" of a value`, this.#line)
    return answer
  }

  #namesOfTable(): string[] {
    return [...this.#commands.values()].filter(isOfTable).map(({ name }) => name)
  }

  #methodOfTable(reference: TableReference, name: string, args: readonly Value[]): Promise<Value> {
    if (name === 'name') return Promise.resolve(rubyString(reference.table))
    if (name === 'to_s' || name === 'inspect') return Promise.resolve(rubyString(reference.label))
    const command = this.#commands.get(name === 'help' ? 'help' : name)
    if (command !== undefined && name === 'help')
      return this.#run(command, args.length === 0 ? [rubyString('table_help')] : args)
    if (command === undefined || !isOfTable(command))
      throw new NoSuchName(name, 'command of a table', this.#namesOfTable())
    return this.#run(command, [tableReference(reference.table), ...args])
  }
}

function isOfTable({ name, ofTable }: ShellCommand): boolean {
  return ofTable === true || ADMIN_METHODS.has(name)
}

/** The few methods of values that this shell has, such as `size`, `first` and `to_s`; undefined for others. */
function answerOf(value: Value, name: string): Value | undefined {
  if (name === 'to_s') return rubyString(textOf(value))
  if (name === 'inspect') return rubyString(inspect(value))
  const items = itemsOf(value)
  if (items === undefined) return undefined
  if (name === 'size' || name === 'length' || name === 'count') return BigInt(items.length)
  if (name === 'first') return items[0] ?? null
  if (name === 'last') return items.at(-1) ?? null
  return name === 'empty?' ? items.length === 0 : undefined
}

function itemsOf(value: Value): readonly Value[] | undefined {
  if (Array.isArray(value)) return value
  if (value instanceof RubyHash) return value.entries().map(([key]) => key)
  if (isShellObject(value) && 'items' in value) return value.items as readonly Value[]
  return undefined
}
