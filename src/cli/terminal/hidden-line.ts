/** Asks for a line on the terminal, which does not show what is typed. */
export async function readHidden(question: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  try {
    return await typedLine(stdin)
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    stderr.write('\n')
  }
}

const CONTROL_C = '\x03'
const CONTROL_D = '\x04'
const BACKSPACES = new Set(['\x7f', '\b'])

function typedLine(stdin: NodeJS.ReadStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const typed: string[] = []
    const take = (chunk: string): void => {
      for (const character of chunk) {
        if (character === CONTROL_C) {
          stdin.off('data', take)
          reject(new Error('broken off: nothing was written'))
          return
        }
        if (character === '\r' || character === '\n' || character === CONTROL_D) {
          stdin.off('data', take)
          resolve(typed.join(''))
          return
        }
        if (BACKSPACES.has(character)) typed.pop()
        else typed.push(character)
      }
    }
    stdin.on('data', take)
    stdin.resume()
  })
}
