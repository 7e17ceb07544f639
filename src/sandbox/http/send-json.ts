// Sends JSON with GitLab's content type, which names no character set: python-gitlab 3 compares it literally.
import type { Response } from 'express'

export function sendJson(response: Response, status: number, body: unknown): void {
  // Express adds a character set to texts, not to bytes.
  response.status(status).setHeader('Content-Type', 'application/json')
  response.send(Buffer.from(JSON.stringify(body)))
}
