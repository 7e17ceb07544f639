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
  return world.call(method, path, form, token)
}

/** The smallest picture there is: one transparent pixel. */
export const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)
