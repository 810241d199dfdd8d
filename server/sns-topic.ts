/** The region, the account and the name; 's3' and the like are services, not regions. */
const TOPIC_ARN =
  /^arn:aws[a-z-]*:sns:([a-z]{2}(?:-[a-z]+)+-\d{1,2}):\d{12}:[\w-]{1,256}(?:\.fifo)?$/;

/** The region of a topic, as 'eu-north-1' of arn:aws:sns:eu-north-1:123456789012:bounces; null when it is no topic. */
export function readTopicRegion(arn: string): string | null {
  return TOPIC_ARN.exec(arn)?.[1] ?? null;
}
