// notify: post a text to a chat of the operator's, once for each event or each time that the rule becomes true.
import { isProject } from '../facts/definition/subject-ref.ts'
import { fillPlain, template } from '../language/templates.ts'
import { fingerprint } from '../language/values/fingerprint.ts'
import { described, fields, isMap, matching } from '../language/values/shapes.ts'
import { action, actionMemory, blockedBy, oneCall } from './definition/action.ts'
import { chatCall } from './definition/action-calls.ts'

export const CHAT_NAME = /^[a-z0-9][a-z0-9_.-]{0,49}$/
const LONGEST_URL = 500
/** The most rules whose posts are counted. For a forgotten rule, only a post that was made before may be omitted. */
const MOST_COUNTED = 100

const chatName = matching('the name of a chat, of small letters, digits, dots, - and _', CHAT_NAME)
const args = fields(
  {
    to: described('The chat, as the operator names it.', chatName),
    text: described('Plain text; `{{ fact }}` is replaced with a fact.', template(2000)),
  },
  ['to', 'text'],
)

/** How often each state rule posted to a chat. */
const chatPosts = actionMemory<Record<string, number>>('notify')

/** The source with the page that the post links to. */
const linked = (iid: number) => (isProject({ iid }) ? 'project' : 'mergeRequest')

export default action({
  name: 'notify',
  doc: 'Post a text to a chat that the operator named, once each time the rule becomes true, or once for each event. `{{ fact }}` is replaced with a fact. The text is plain: it can contain no link, mention or markup; a link to the merge request, or to the project, follows it.',
  synonyms: ['chat', 'slack', 'teams', 'mattermost', 'send'],
  example: 'notify: { to: team-chat, text: "{{ title }} is ready for a review." }',
  args,
  needs: [],
  on: 'projects',
  when: 'one_way',
  limited: 'new_rules',
  per: 'rule',
  template: { texts: ({ text }) => [text], names: ({ to }) => [{ kind: 'chat', name: to }] },
  calls({ args: { to, text }, mr, answer, rule, requestKey, memory, policy, texts }) {
    const page = answer(linked(mr.merge_request_iid))
    if (page?.ok !== true) return blockedBy(`its page is unknown: ${page?.reason}`)
    if (policy?.chats?.includes(to) === false) return blockedBy(`the operator names no chat ${to} for this project`)
    const said = fillPlain(text, texts)
    if (said.trim() === '') return blockedBy('its text is empty')
    const ofEvent = requestKey !== rule
    // The same key after a crash, and another one when the rule becomes true again.
    const posts = chatPosts.of(memory) ?? {}
    const times = ofEvent || !Object.hasOwn(posts, rule) ? 0 : (posts[rule] ?? 0)
    const key = fingerprint([mr.id, mr.merge_request_iid, to, requestKey, times])
    const url = isMap(page.body) ? page.body.web_url : undefined
    const link = typeof url === 'string' && url.length <= LONGEST_URL ? { url } : {}
    const call = chatCall({ ...mr, to, text: said, ...link, key })
    return oneCall(`post to the chat ${to}`, call, { memo: ofEvent ? undefined : { posted: rule } })
  },
  remember(memory, { memo }, certain) {
    if (!certain || !isMap(memo) || typeof memo.posted !== 'string') return memory
    const { [memo.posted]: times = 0, ...others } = chatPosts.of(memory) ?? {}
    const kept = Object.entries(others).slice(1 - MOST_COUNTED)
    return chatPosts.put(memory, { ...Object.fromEntries(kept), [memo.posted]: times + 1 })
  },
})
