/** The thread that decodes large bodies: one at a time, by the task of the module that the order names. */

import { parentPort } from 'node:worker_threads'
import { failureOf, type Moved, type Order, type PartedTask, type Report, type Task } from './task.ts'

type AnyTask = Task<unknown, unknown, unknown>

const tasks = new Map<string, AnyTask>()
let running: PartedTask<unknown, unknown> | undefined

async function taskOf(module: string): Promise<AnyTask> {
  let task = tasks.get(module)
  if (task === undefined) {
    task = ((await import(module)) as { readonly task: AnyTask }).task
    tasks.set(module, task)
  }
  return task
}

function report(report: Report, memory: Moved<unknown>['memory'] = []): void {
  parentPort!.postMessage(report, memory)
}

async function follow({ module, input }: Order): Promise<void> {
  try {
    if (module !== undefined) {
      const made = (await taskOf(module))(input)
      if (!('next' in made)) {
        report({ kind: 'done', value: made.value }, made.memory)
        return
      }
      running = made
    }
    const { done, value: moved } = running!.next()
    report({ kind: done === true ? 'done' : 'part', value: moved.value }, moved.memory)
  } catch (error) {
    report({ kind: 'failed', failure: failureOf(error) })
  }
}

parentPort!.on('message', (order: Order) => void follow(order))
