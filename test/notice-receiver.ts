// The operator's web hook for tests: a server on loopback that keeps what it was sent, and answers as it is told to.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { Notification } from '../src/bot/notifications/notification.ts'
import { listening } from './listening.ts'

export interface NoticeReceiver {
  /** With a secret in it, as chat tools have it. */
  url: string
  /** What it answered well, oldest first. */
  taken: { headers: IncomingHttpHeaders; body: string }[]
  notices(kind?: Notification['kind']): Notification[]
  /** How many requests came, whatever they were answered. */
  asked(): number
  /** 200 unless something else is set. */
  answer: (response: ServerResponse) => void
  close(): Promise<void>
}

export const secretOfAddress = 'secret-of-the-receiver'

export async function startNoticeReceiver(): Promise<NoticeReceiver> {
  const taken: NoticeReceiver['taken'] = []
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    let body = ''
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece
    })
    request.on('end', () => {
      response.once('finish', () => {
        if (response.statusCode === 200) taken.push({ headers: request.headers, body })
      })
      receiver.answer(response)
    })
  })
  const receiver: NoticeReceiver = {
    url: `${await listening(server)}/hooks/${secretOfAddress}?key=${secretOfAddress}`,
    taken,
    notices: (kind) =>
      taken
        .map(({ body }) => JSON.parse(body) as Notification)
        .filter((each) => kind === undefined || each.kind === kind),
    asked: () => asked,
    answer: well,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

export const well: NoticeReceiver['answer'] = (response) => void response.writeHead(200).end()
