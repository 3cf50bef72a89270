import { request } from 'node:https'

/** A request over TLS with a password and a body of JSON. Throws where the answer is no success. */
export function basicLogin(
  port: number,
  ca: string,
  auth: string,
  method: string,
  path: string,
  body: object,
): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: 'localhost', port, ca, auth, method, path, headers, agent: false },
      (answer) => {
        answer.resume()
        const status = answer.statusCode ?? 0
        if (status >= 200 && status < 300) answer.once('end', resolve)
        else reject(new Error(`${method} ${path}: ${status}`))
      },
    )
    asked.once('error', reject)
    asked.end(JSON.stringify(body))
  })
}
