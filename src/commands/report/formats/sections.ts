// The report for people, section by section.

import { greatest } from '../../../lib/statistics.ts'
import { percent, timeText, UNKNOWN } from '../../../lib/figures.ts'
import { counted } from '../../terminal-text.ts'
import type { Report } from '../figures/figures.ts'
import { groupedTokens } from '../figures/values.ts'
import {
  type Document,
  hoursText,
  longest,
  momentText,
  moneyText,
  orUnknown,
  type Section,
  section,
  unobservedText,
  valueText,
} from './document.ts'
import { l1Section, overview, uptimeText, validatorSection } from './object-sections.ts'

export function documentOf(report: Report): Document {
  const month = new Date(report.from * 1_000)
  const name = `${month.toLocaleDateString('en', { month: 'long', timeZone: 'UTC' })} ${month.getUTCFullYear()}`
  return {
    title: `Validators in ${name}`,
    about: [
      `From ${timeText(report.from)} to ${timeText(report.until)}. All times are UTC.`,
      ...(report.isComplete ? [] : ['The month is not over: this report is about the time until now.']),
    ],
    sections: [
      overview(report.validators),
      ...report.validators.map((one) => validatorSection(one, report)),
      ...report.l1s.map(l1Section),
      ...walletsSection(report),
      pagesSection(report),
      ...upstreamsSection(report),
      ...missingSection(report),
      METHOD,
    ],
  }
}

const METHOD = section('How it was measured', {
  notes: [
    'Uptime is the share of the observed minutes in which the validator was connected. An observer is a node that reports its connection to the validator. By the vote of all observers, a validator is down while fewer than half of those that report are connected.',
    'Of an L1, the node that sees most of its weight decides whether enough is connected.',
    'A time without a report of more than five minutes is unobserved. It counts neither as up nor as down.',
    'A reward counts as earned when the next period of the validation has begun, and as lost when the validator was removed instead. Whether a fixed term was rewarded is only reported for the wallet that is paid.',
    'A turn is a slot in which the validator alone may build the next block. A slot that passed while there may have been nothing to build is not counted. A gap is a time whose blocks went uncounted.',
    'Rewards of periods have the value of the last known price when the period ended, pending ones that of the last price.',
  ],
})

function walletsSection({ wallets, from }: Report): Section[] {
  if (wallets.length === 0) return []
  const incomplete = wallets.flatMap(({ address, since = from, unpriced = 0, gaps = 0 }) => [
    ...(since > from ? [`Rewards of wallet ${address} are counted since ${momentText(since)}.`] : []),
    ...(unpriced > 0
      ? [`The values of wallet ${address} lack ${counted(unpriced, 'reward')} without a price yet.`]
      : []),
    ...(gaps > 0 ? [`Rewards of wallet ${address} may be missing, as the count has ${counted(gaps, 'gap')}.`] : []),
  ])
  const types = wallets.flatMap(({ address, paid, pending, unpriced = 0 }) =>
    [...new Set([...paid, ...pending].map(({ type }) => type))].map((type) => {
      const one = paid.find((some) => some.type === type)
      const waiting = pending.find((some) => some.type === type)
      return [
        address,
        type,
        one ? groupedTokens(one.tokens) : UNKNOWN,
        one?.values.map((value) => `${unpriced > 0 ? 'at least ' : ''}${valueText(value)}`).join(', ') || UNKNOWN,
        waiting ? moneyText(waiting.money) : UNKNOWN,
      ]
    }),
  )
  const head = ['Wallet', 'Type', 'Paid, tokens', 'Paid, value', 'Pending']
  return [
    section('Rewards paid to wallets', {
      notes: [
        'Values of paid rewards are at the price of their day, and count once it is known, which takes a day.',
        ...incomplete,
      ],
      tables: [{ caption: 'Rewards by wallet and type', head, rows: types }],
    }),
  ]
}

export function pagesSection({ pages, pagesUnobserved, isPartial }: Report): Section {
  if (!pages) return section('Pages', { notes: ['Unknown: Prometheus has no alerts of stakewatch.'] })
  const all = pages.flatMap(({ alert, pages }) => pages.map((page) => ({ alert, ...page })))
  const unobserved =
    pagesUnobserved === 0
      ? []
      : [
          `For ${hoursText(pagesUnobserved)} it is unknown what paged: Prometheus had not loaded the rules, or has no samples.`,
        ]
  const about = isPartial ? ' about these validators' : ''
  if (all.length === 0) return section('Pages', { notes: [`No alert${about} paged.`, ...unobserved] })
  const { shown, notes } = longest(all, 'pages')
  return section('Pages', {
    notes: [
      `Alerts${about} that page. An alert goes on firing for ten minutes after its condition.`,
      ...unobserved,
      ...notes,
    ],
    tables: [
      {
        caption: 'Pages by alert',
        head: ['Alert', 'Says', 'Pages', 'Together', 'Longest'],
        rows: pages.map(({ alert, summary, pages }) => {
          const lengths = pages.map(({ from, until }) => until - from)
          const together = lengths.reduce((sum, one) => sum + one, 0)
          return [alert, summary, String(pages.length), hoursText(together), hoursText(greatest(lengths))]
        }),
      },
      {
        caption: 'Each page',
        head: ['From', 'Lasted', 'Alert', 'About'],
        rows: shown.map(({ from, until, alert, about }) => [momentText(from), hoursText(until - from), alert, about]),
      },
    ],
  })
}

function upstreamsSection({ upstreams }: Report): Section[] {
  if (upstreams.length === 0) return []
  const rows = upstreams.map(({ network, source, times, requests }) => [
    source,
    network,
    uptimeText(times),
    hoursText(times.down),
    unobservedText(times),
    orUnknown(requests, ({ sent }) => sent.toLocaleString('en-US')),
    orUnknown(requests, ({ sent, failed }) =>
      sent === 0 ? '0' : `${failed.toLocaleString('en-US')} (${percent(failed / sent, 2)})`,
    ),
    orUnknown(requests, ({ rateLimited }) => rateLimited.toLocaleString('en-US')),
  ])
  const head = ['Upstream', 'Network', 'Answering', 'Down', 'Unobserved', 'Requests', 'Failed', 'Rate limited']
  return [section('Upstreams', { tables: [{ caption: 'Nodes and services that were asked', head, rows }] })]
}

function missingSection({ missing }: Report): Section[] {
  if (missing.length === 0) return []
  const rows = missing.map(({ figure, metric }) => [figure, metric])
  const table = { caption: 'Figures without data in this month', head: ['Figure', 'Metric that would have it'], rows }
  return [section('Not in this report', { tables: [table] })]
}
