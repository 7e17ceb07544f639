// What is posted to a chat of each kind. All of the text is hostile: none of it may be a link, a mention or markup.
import type { PostNotification } from '../../client/post-notification.ts'
import { isProject } from '../../rules/facts/definition/subject-ref.ts'
import { inertText, plainUrl } from './notification.ts'

export const chatKinds = ['slack', 'mattermost', 'teams', 'json'] as const
export type ChatKind = (typeof chatKinds)[number]

/** A job of the queue of chats. */
export interface ChatJob {
  to: string
  text: string
  project: number
  iid: number
  url?: string
}

/** A chat that the operator named. */
export interface Chat {
  name: string
  kind: ChatKind
  post: PostNotification
}

export interface ChatMessage {
  id: string
  /** The chat's name. */
  to: string
  text: string
  project: number
  iid: number
  /** The full path of the project; absent if it is not known. */
  projectPath?: string | undefined
  /** `group/app!12`, or `group/app`. */
  name: string
  /** The page of the merge request or the project. */
  url?: string | undefined
}

/** Slack shows no longer plain text. */
const longest = 3000
const mostLines = 50

/** The JSON body. */
export function chatBody(kind: ChatKind, message: ChatMessage): string {
  const text = inertLines(message.text)
  const name = inertText(message.name)
  const url = plainUrl(message.url)
  return JSON.stringify(bodies[kind]({ ...message, text, name, url }))
}

const bodies: Record<ChatKind, (message: ChatMessage) => object> = {
  // Slack reads no markup in plain_text; `text` is for its own notices.
  slack: ({ text, name, url }) => ({
    text: `${forSlack(text)} (${forSlack(name)})`,
    mrkdwn: false,
    blocks: [
      { type: 'section', text: { type: 'plain_text', text, emoji: false } },
      {
        type: 'context',
        elements: [
          url === undefined
            ? { type: 'plain_text', text: name, emoji: false }
            : { type: 'mrkdwn', text: `<${url}|${forSlack(name).replaceAll('|', '¦')}>`, verbatim: true },
        ],
      },
    ],
  }),
  mattermost: ({ text, name, url }) => ({
    text: `${forMarkdown(text)}\n${url === undefined ? forMarkdown(name) : `[${forMarkdown(name)}](${url})`}`,
  }),
  // A text run has no markup, and a card without entities no mention.
  teams: ({ text, name, url }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [...text.split('\n'), name].map((line) => ({
            type: 'RichTextBlock',
            inlines: [{ type: 'TextRun', text: line === '' ? ' ' : line }],
          })),
          actions: url === undefined ? [] : [{ type: 'Action.OpenUrl', title: name, url }],
        },
      },
    ],
  }),
  json: ({ id, to, text, project, iid, projectPath, url }) => ({
    version: 1,
    id,
    to,
    text: url === undefined ? text : `${text} · ${url}`,
    about: {
      project,
      projectPath: projectPath === undefined ? undefined : inertText(projectPath),
      url,
      iid: isProject({ iid }) ? undefined : iid,
    },
  }),
}

/** The text's lines, each inert, without indentation, which Markdown takes for code. */
function inertLines(text: string): string {
  const lines = text.slice(0, longest).split(/\r?\n/).slice(0, mostLines)
  return lines
    .map((line) =>
      inertText(line, longest)
        .replaceAll(/(www|mailto|tel)(?=[.:])/gi, '$1 ')
        .trim(),
    )
    .join('\n')
    .trim()
    .slice(0, longest)
}

const forSlack = (text: string) => text.replaceAll('&', '&amp;')

/** Markdown's own marks as plain text: some have a meaning everywhere, others where a line begins. */
const forMarkdown = (text: string) =>
  text
    .replaceAll(/[\\_|]/g, '\\$&')
    // Channels and hashtags, which Mattermost finds behind a backslash too.
    .replaceAll('~', '～')
    .replaceAll(/#(?=\p{L})/gu, '＃')
    .replaceAll(/^(?=[#+-])/gm, '\\')
    .replaceAll(/^=/gm, '＝')
    .replaceAll(/^(\d+)(?=\.)/gm, '$1\\')
