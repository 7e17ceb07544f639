// Sends multipart/form-data to a sandbox, as browsers and clients send files.
import type { Answer, World } from './sandbox-world.ts'

export async function sendForm(
  world: World,
  method: string,
  path: string,
  fields: Record<string, string | File>,
  token = 'root-token',
): Promise<Answer> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const response = await fetch(`${world.url}/api/v4${path}`, {
    method,
    body: form,
    headers: { 'PRIVATE-TOKEN': token },
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

/** The smallest picture there is: one transparent pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
